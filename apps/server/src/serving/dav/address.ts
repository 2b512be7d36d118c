import { isSegment } from '@sheaf/contract';

/** Where WebDAV lives. */
export const davRoot = '/dav/';

/** Longest path in characters. */
const longestPath = 32_768;

/** The names of a path below {@link davRoot}, and whether it ends with a slash; undefined for a path that names nothing. */
export function namesOf(path: string): { readonly names: readonly string[]; readonly isFolder: boolean } | undefined {
  if (path !== '/dav' && !path.startsWith(davRoot)) return undefined;
  if (path.length > longestPath || path.includes('#')) return undefined;
  const parts = path.slice(davRoot.length).split('/');
  const isFolder = parts.at(-1) === '' || path === '/dav';
  const names: string[] = [];
  for (const part of isFolder ? parts.slice(0, -1) : parts) {
    const name = decoded(part);
    if (name === undefined || !isSegment(name)) return undefined;
    names.push(name);
  }
  return { names, isFolder };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The address of an item as clients see it: percent-encoded, a folder with a final slash. */
export function hrefOf(names: readonly string[], isFolder: boolean): string {
  const path = names.map(encodeName).join('/');
  return names.length === 0 ? davRoot : `${davRoot}${path}${isFolder ? '/' : ''}`;
}

/** Unlike encodeURIComponent it encodes the characters that some clients encode and compare. */
export const encodeName = (name: string): string => (/^[\w.~-]+$/.test(name) ? name : encoded(name));

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The path of a Destination or of a tagged list (RFC 4918, sections 10.3 and 10.4), without query: a path, or an address of this server, whatever
 * scheme a proxy in front of it speaks. Undefined for another server.
 */
export function pathOf(target: string, hosts: ReadonlySet<string>): string | undefined {
  if (target.startsWith('/') && !target.startsWith('//')) return withoutQuery(target);
  const [, host, path = '/'] = /^https?:\/\/([^/?#]+)([^#]*)$/i.exec(target) ?? [];
  return host !== undefined && hosts.has(hostKey(host)) ? withoutQuery(path) : undefined;
}

/** A host for comparison: without user and the usual ports. */
export const hostKey = (host: string): string =>
  host
    .replace(/^.*@/, '')
    .replace(/:(?:80|443)$/, '')
    .toLowerCase();

const withoutQuery = (path: string): string => path.split('?')[0] ?? path;
