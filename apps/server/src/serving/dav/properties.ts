import { type Entry, escapeXml } from '@sheaf/connectors';
import { etagOf, lastModifiedOf } from '#/files/bodies/validators.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import { hrefOf } from './address.ts';
import { DavError, statusLine } from './answers.ts';
import type { LockRow } from './state/lock-store.ts';
import type { DeadProperty } from './state/property-store.ts';
import { type XmlNode, davChild, elementsOf, isDav, parseXml } from './xml-tree.ts';

/** A resource as PROPFIND shows it. */
export interface Resource {
  readonly names: readonly string[];
  /** Its address, escaped for XML, where the caller has computed it already. */
  readonly href?: string;
  readonly entry: Entry;
  /** Locks that cover it. */
  readonly locks: readonly LockRow[];
  readonly dead: readonly DeadProperty[];
  /** Bytes; only where asked for. */
  readonly usage?: { readonly used: number; readonly available?: number } | undefined;
}

/** Which properties are wanted. */
export type Wanted =
  | { readonly kind: 'all'; readonly more: readonly PropertyName[] }
  | { readonly kind: 'names' }
  | { readonly kind: 'some'; readonly some: readonly PropertyName[] };
export type PropertyName = Pick<DeadProperty, 'space' | 'name'>;

/** Most properties that a request names: each is written for each item of a folder. */
const mostNamed = 200;

/** The properties that a PROPFIND's body asks for (RFC 4918, section 9.1); no body asks for all. Throws 400 for too many. */
export function wantedIn(body: string): Wanted {
  if (body.trim() === '') return { kind: 'all', more: [] };
  const root = parseXml(body);
  const props = davChild(root, 'prop');
  if (!isDav(root, 'propfind')) return { kind: 'some', some: [] };
  if (davChild(root, 'propname')) return { kind: 'names' };
  const include = davChild(root, 'include');
  const named = elementsOf(props ?? include ?? root);
  if (named.length > mostNamed) throw new DavError(400);
  if (props) return { kind: 'some', some: named };
  return { kind: 'all', more: include ? named : [] };
}

type Live = (resource: Resource) => string | undefined;

/** Properties that we know ourselves; undefined where the resource has none. */
const live: Readonly<Record<string, Live>> = {
  resourcetype: ({ entry }) => (entry.kind === 'folder' ? '<D:collection/>' : ''),
  displayname: ({ names }) => escapeXml(safe(names.at(-1) ?? 'Sheaf')),
  getcontentlength: ({ entry }) => (entry.kind === 'file' && entry.size !== undefined ? String(entry.size) : undefined),
  getcontenttype: ({ entry }) => (entry.kind === 'file' ? escapeXml(mediaTypeOf(entry.name, entry.mimeType)) : undefined),
  getetag: ({ entry }) => (entry.kind === 'file' ? etagOf(entry) : undefined),
  getlastmodified: ({ entry }) => lastModifiedOf(entry),
  creationdate: ({ entry: { modified } }) => (modified === undefined ? undefined : dateOf(modified)),
  supportedlock: () => supportedLock,
  lockdiscovery: ({ locks, names, entry }) => locks.map((lock) => activeLock(lock, hrefOf(names, entry.kind === 'folder'))).join(''),
};
/** Sent only when named: RFC 4331, section 3. */
const quota: Readonly<Record<string, Live>> = {
  'quota-used-bytes': ({ usage }) => (usage ? String(usage.used) : undefined),
  'quota-available-bytes': ({ usage }) => (usage?.available === undefined ? undefined : String(usage.available)),
};

export const isLive = ({ space, name }: PropertyName): boolean =>
  space === 'DAV:' && (Object.hasOwn(live, name) || Object.hasOwn(quota, name));
export const asksQuota = (wanted: Wanted): boolean =>
  wanted.kind !== 'names' &&
  (wanted.kind === 'some' ? wanted.some : wanted.more).some(({ space, name }) => space === 'DAV:' && Object.hasOwn(quota, name));

const supportedLock = ['exclusive', 'shared']
  .map((scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`)
  .join('');

export const activeLock = ({ token, isShared, isDeep, owner, seconds }: LockRow, href: string): string =>
  `<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:${isShared === 1 ? 'shared' : 'exclusive'}/></D:lockscope>` +
  `<D:depth>${isDeep === 1 ? 'infinity' : '0'}</D:depth>${owner === '' ? '' : `<D:owner>${owner}</D:owner>`}` +
  `<D:timeout>Second-${seconds}</D:timeout><D:locktoken><D:href>${token}</D:href></D:locktoken>` +
  `<D:lockroot><D:href>${escapeXml(href)}</D:href></D:lockroot></D:activelock>`;

/** Writes the response of a resource in a multistatus answer. What is wanted is looked up once for all resources of the answer. */
export function responder(wanted: Wanted): (resource: Resource) => string {
  const propstats = propstatsOf(wanted);
  return (resource) => {
    const href = resource.href ?? escapeXml(hrefOf(resource.names, resource.entry.kind === 'folder'));
    return `<D:response><D:href>${href}</D:href>${propstats(resource)}</D:response>\n`;
  };
}

function propstatsOf(wanted: Wanted): (resource: Resource) => string {
  if (wanted.kind === 'names')
    return (resource) => {
      const own = Object.keys(live).filter((name) => live[name]?.(resource) !== undefined);
      return propstat(200, own.map((name) => `<D:${name}/>`).join('') + deadOf(resource).map(emptyElement).join(''));
    };
  if (wanted.kind === 'all') {
    const own = Object.entries(live);
    const more = wanted.more.filter(({ space }) => space === 'DAV:').map(({ name }) => [name, quota[name]] as const);
    return (resource) => {
      const written = [...own, ...more].map(([name, read]) => elementOf(name, read?.(resource))).join('');
      return propstat(
        200,
        written +
          deadOf(resource)
            .map(({ value }) => value)
            .join(''),
      );
    };
  }
  const some = wanted.some.map((one) => ({
    ...one,
    empty: emptyElement(one),
    read: one.space === 'DAV:' ? (Object.hasOwn(live, one.name) ? live[one.name] : quota[one.name]) : undefined,
  }));
  return (resource) => {
    let [found, missing] = ['', ''];
    for (const { space, name, read, empty } of some) {
      const value = read?.(resource);
      if (value !== undefined) found += value === '' ? empty : elementOf(name, value);
      else {
        const set = resource.dead.length === 0 ? undefined : deadOf(resource).find((dead) => dead.space === space && dead.name === name);
        if (set) found += set.value;
        else missing += empty;
      }
    }
    return found !== '' || missing === '' ? propstat(200, found) + (missing === '' ? '' : propstat(404, missing)) : propstat(404, missing);
  };
}

const deadOf = ({ dead }: Resource): readonly DeadProperty[] => (dead.length === 0 ? dead : dead.filter((one) => !isLive(one)));

export const propstat = (status: number, content: string): string =>
  `<D:propstat><D:prop>${content}</D:prop>${statusLine(status)}</D:propstat>`;
const elementOf = (name: string, value: string | undefined): string =>
  value === undefined ? '' : value === '' ? `<D:${name}/>` : `<D:${name}>${value}</D:${name}>`;

export const emptyElement = ({ space, name }: PropertyName | XmlNode): string =>
  space === 'DAV:' ? `<D:${name}/>` : `<${name} xmlns="${escapeXml(space)}"/>`;

/** Names may hold characters that XML cannot. */
const safe = (name: string): string => (/^[ -~]*$/.test(name) ? name : name.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd'));

function dateOf(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
