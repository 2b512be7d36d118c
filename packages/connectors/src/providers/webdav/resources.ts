import { isSegment } from '@sheaf/contract';
import type { Entry } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { nameOf, partialPrefix } from '../../kit/names/path.ts';
import { readXmlRecords } from '../../kit/xml/xml-records.ts';
import { scanXml } from '../../kit/xml/xml.ts';
import {
  type Resource,
  createResourceReader,
  propfind,
  propfindHashed,
  propfindTyped,
  propfindTypedHashed,
  segmentsOfHref,
  toResource,
} from './api.ts';
import type { DavClient } from './client.ts';
import { refuse } from './errors.ts';
import type { Places } from './places.ts';

/** Looks up resources on the server. */
export interface Resources {
  stat(path: string, signal: AbortSignal): Promise<Entry>;
  /** Like `stat`, with the server's content type for a file without an extension. */
  statTyped(path: string, signal: AbortSignal): Promise<Entry>;
  /** Returns the entry, or undefined when nothing exists at the path. */
  find(path: string, signal: AbortSignal): Promise<Entry | undefined>;
  list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]>;
}

/** Uses PROPFIND: RFC 4918, section 9.1. For a Nextcloud or ownCloud server (`isCloud`), also requests the checksums of single items. */
export function createResources(client: DavClient, places: Places, isCloud = false): Resources {
  async function ask(address: string, depth: '0' | '1', signal: AbortSignal, body = propfind): Promise<HttpResponse> {
    const headers = { depth, 'content-type': 'application/xml; charset=utf-8', accept: 'application/xml, text/xml' };
    return client.send({ method: 'PROPFIND', path: address, headers, body, signal });
  }

  async function stat(path: string, signal: AbortSignal, body = isCloud ? propfindHashed : propfind): Promise<Entry> {
    const response = await ask(places.address(path, path === '/' ? 'folder' : 'file'), '0', signal, body);
    if (response.status !== 207) return path === '/' ? notDav(response) : missing(response);
    let found: Entry | undefined;
    // Reads the short response to its end: abandoning it would close its connection.
    for await (const elements of scanXml(response.stream(), ['response']))
      found ??= elements.map(toResource).find((resource) => resource)?.entry;
    if (found) return path === '/' ? { ...found, name: '', kind: 'folder' } : { ...found, name: nameOf(path) };
    throw new ConnectorError('notFound', 'the server describes nothing there');
  }

  return {
    stat: (path, signal) => stat(path, signal),
    statTyped: (path, signal) => stat(path, signal, nameOf(path).includes('.') ? undefined : isCloud ? propfindTypedHashed : propfindTyped),
    async find(path, signal) {
      try {
        return await stat(path, signal);
      } catch (error) {
        if (isKind(error, 'notFound')) return undefined;
        throw error;
      }
    },
    async *list(folder, signal) {
      const address = places.address(folder, 'folder');
      const response = await ask(address, '1', signal);
      if (response.status !== 207) {
        // Servers refuse a file's name with a trailing slash with various statuses.
        if (folder !== '/' && [400, 404, 405, 409].includes(response.status)) await requireFolder(stat(folder, signal));
        await (folder === '/' ? notDav(response) : missing(response));
      }
      const belongs = membership(segmentsOfHref(address));
      for await (const resources of readXmlRecords(response.stream(), createResourceReader())) {
        const batch: Entry[] = [];
        for (const resource of resources) {
          const place = resource && belongs(resource);
          if (place === 'itself' && resource?.entry.kind === 'file') throw notAFolder();
          if (place === 'inside' && resource) batch.push(resource.entry);
        }
        if (batch.length > 0) yield batch;
      }
    },
  };
}

const notAFolder = () => new ConnectorError('notAFolder', 'a file cannot be listed');

async function requireFolder(found: Promise<Entry>): Promise<void> {
  if ((await found).kind === 'file') throw notAFolder();
}

/** A server that refuses PROPFIND at the link's root does not speak WebDAV there. */
async function notDav(response: HttpResponse): Promise<never> {
  if (response.status < 400 || [400, 405, 501].includes(response.status)) {
    await response.discard();
    throw new ConnectorError('wrongProtocol', `the server does not speak WebDAV: ${response.status}`, { details: { protocol: 'WebDAV' } });
  }
  return refuse(response);
}

/** Apache answers 400 for a path that leads through a file. */
async function missing(response: HttpResponse): Promise<never> {
  if (response.status !== 400) return refuse(response);
  await response.discard();
  throw new ConnectorError('notFound', 'the path leads nowhere');
}

/**
 * Distinguishes the folder itself from its contents. A server behind a proxy may use another path prefix than the request; then the first
 * resource, which is the folder itself, determines the prefix.
 */
function membership(asked: readonly string[]): (resource: Resource) => 'itself' | 'inside' | 'elsewhere' {
  let base = asked;
  let first = true;
  let baseFolder: readonly string[] | undefined;
  const inside = ({ name }: Entry) => (isName(name) ? 'inside' : 'elsewhere');
  return ({ folder, entry }) => {
    if (folder === baseFolder) return inside(entry);
    const path = entry.name === '' ? folder : [...folder, entry.name];
    const isIn = entry.name !== '' && isSame(folder, base);
    const isBase = isSame(path, base);
    if (first && !isBase && !isIn) base = path;
    else if (!isBase) {
      first = false;
      if (!isIn) return 'elsewhere';
      baseFolder = folder;
      return inside(entry);
    }
    first = false;
    return 'itself';
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((segment, index) => segment === other[index]);

const isName = (name: string): boolean => isSegment(name) && !name.startsWith(partialPrefix);
