import { type Entry, escapeXml } from '@sheaf/connectors';
import { etagOf, lastModifiedOf } from '#/files/bodies/validators.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import { hrefOf } from './address.ts';
import { statusLine } from './answers.ts';
import type { LockRow } from './state/lock-store.ts';
import type { DeadProperty } from './state/property-store.ts';
import { type XmlNode, davChild, elementsOf, isDav, parseXml } from './xml-tree.ts';

/** A resource as PROPFIND shows it. */
export interface Resource {
  readonly names: readonly string[];
  /** Its address, where that of its folder is known already. */
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

/** The properties that a PROPFIND's body asks for (RFC 4918, section 9.1); no body asks for all. */
export function wantedIn(body: string): Wanted {
  if (body.trim() === '') return { kind: 'all', more: [] };
  const root = parseXml(body);
  const props = davChild(root, 'prop');
  if (!isDav(root, 'propfind')) return { kind: 'some', some: [] };
  if (davChild(root, 'propname')) return { kind: 'names' };
  if (props) return { kind: 'some', some: elementsOf(props) };
  const include = davChild(root, 'include');
  return { kind: 'all', more: include ? elementsOf(include) : [] };
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
/** Told only when named: RFC 4331, section 3. */
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

/** The response of one resource in a multistatus answer. */
export function responseOf(resource: Resource, wanted: Wanted): string {
  const href = escapeXml(resource.href ?? hrefOf(resource.names, resource.entry.kind === 'folder'));
  return `<D:response><D:href>${href}</D:href>${propstats(resource, wanted)}</D:response>\n`;
}

function propstats(resource: Resource, wanted: Wanted): string {
  const dead = resource.dead.filter((property) => !isLive(property));
  if (wanted.kind === 'names') {
    const own = Object.keys(live).filter((name) => live[name]?.(resource) !== undefined);
    return propstat(200, own.map((name) => `<D:${name}/>`).join('') + dead.map((one) => emptyElement(one)).join(''));
  }
  if (wanted.kind === 'all') {
    const own = Object.entries(live).map(([name, read]) => written(name, read(resource)));
    const more = wanted.more.map(({ space, name }) => (space === 'DAV:' ? written(name, quota[name]?.(resource)) : ''));
    return propstat(200, [...own, ...more, ...dead.map(({ value }) => value)].join(''));
  }
  const found: string[] = [];
  const missing: string[] = [];
  for (const one of wanted.some) {
    const read = one.space === 'DAV:' ? (Object.hasOwn(live, one.name) ? live[one.name] : quota[one.name]) : undefined;
    const value = read?.(resource);
    const set = dead.find(({ space, name }) => space === one.space && name === one.name);
    if (value !== undefined) found.push(written(one.name, value));
    else if (set) found.push(set.value);
    else missing.push(emptyElement(one));
  }
  const both = (found.length > 0 ? propstat(200, found.join('')) : '') + (missing.length > 0 ? propstat(404, missing.join('')) : '');
  return both === '' ? propstat(200, '') : both;
}

export const propstat = (status: number, content: string): string =>
  `<D:propstat><D:prop>${content}</D:prop>${statusLine(status)}</D:propstat>`;
const written = (name: string, value: string | undefined): string =>
  value === undefined ? '' : value === '' ? `<D:${name}/>` : `<D:${name}>${value}</D:${name}>`;

export const emptyElement = ({ space, name }: PropertyName | XmlNode): string =>
  space === 'DAV:' ? `<D:${name}/>` : `<${name} xmlns="${escapeXml(space)}"/>`;

/** Names may hold characters that XML cannot. */
const safe = (name: string): string => (/^[ -~]*$/.test(name) ? name : name.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd'));

function dateOf(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
