import { escapeMarkup } from '../kit/index.ts';
import { element, refuseWith } from './replies.ts';
import type { Blob, Container, Settings, State } from './state.ts';

interface Ask {
  readonly prefix: string;
  readonly delimiter: string;
  readonly include: ReadonlySet<string>;
  readonly marker: string;
  readonly size: number;
}

interface Item {
  /** Orders items of one name, the oldest first. */
  readonly place: string;
  readonly xml: () => string;
}

/** A page of https://learn.microsoft.com/rest/api/storageservices/list-blobs, by the bytes of the names; of one name snapshots and versions come first. */
export function listPage(container: Container, settings: Settings, { prefix, delimiter, include, marker, size }: Ask): string {
  if (delimiter !== '' && include.has('snapshots')) refuseWith(400, 'InvalidQueryParameterValue');
  if (settings.hierarchical && ['snapshots', 'versions', 'deletedwithversions'].some((one) => include.has(one)))
    refuseWith(409, 'FeatureNotYetSupportedForHierarchicalNamespaceAccounts');
  const [fromName = '', fromPlace = ''] = Buffer.from(marker, 'base64url').toString().split('\0');
  const names = [...container.blobs.keys()].filter((name) => name.startsWith(prefix)).map((name) => ({ name, bytes: Buffer.from(name) }));
  const out: string[] = [];
  let last = '';
  let next = '';
  let shared = fromPlace === 'prefix' ? fromName : '';
  for (const { name, bytes } of names.sort((a, b) => Buffer.compare(a.bytes, b.bytes))) {
    const order = Buffer.compare(bytes, Buffer.from(fromName));
    if (marker !== '' && order < 0) continue;
    if (shared !== '' && name.startsWith(shared)) continue;
    const blob = container.blobs.get(name);
    const items = blob ? itemsOf(container, name, blob, include).filter(({ place }) => order !== 0 || place > fromPlace) : [];
    if (items.length === 0) continue;
    const cut = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
    if (cut >= 0) {
      shared = name.slice(0, cut + delimiter.length);
      items.splice(0, items.length, { place: 'prefix', xml: () => `<BlobPrefix>${nameXml(shared)}</BlobPrefix>` });
    }
    for (const { place, xml } of items) {
      if (out.length >= size) next ||= last;
      if (next) break;
      out.push(xml());
      last = Buffer.from(`${cut < 0 ? name : shared}\0${place}`).toString('base64url');
    }
    if (next) break;
  }
  return `<EnumerationResults ServiceEndpoint="http://simulated/">${element('Prefix', prefix)}<Blobs>${out.join('')}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;
}

/** What a listing has of one name. */
function itemsOf({ isAlive }: Container, name: string, blob: Blob, include: ReadonlySet<string>): Item[] {
  const isShown = ({ deletedAt }: State): boolean => deletedAt === undefined || include.has('deleted');
  const toItem = (state: State, place: string, more = ''): Item => ({ place, xml: () => blobXml(name, state, more) });
  const snapshots = include.has('snapshots') ? blob.snapshots.filter(isShown) : [];
  const versions = include.has('versions') ? blob.versions.filter(isShown) : [];
  const newest = blob.versions.at(-1);
  const { base, endedAt } = blob;
  return [
    ...snapshots.map((one) => toItem(one, `a ${one.snapshot}`)),
    ...versions.map((one) => toItem(one, `b ${one.version}`)),
    ...(base && isShown(base) ? [toItem(base, 'c', isAlive(blob) && base.version ? element('IsCurrentVersion', true) : '')] : []),
    ...(!base && newest && include.has('deletedwithversions')
      ? [toItem({ ...newest, version: endedAt, deletedAt: undefined }, 'd', element('HasVersionsOnly', true))]
      : []),
  ];
}

function blobXml(name: string, state: State, more: string): string {
  const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toUTCString());
  const properties = [
    element('Creation-Time', time(state.created)),
    element('Last-Modified', time(state.modified)),
    element('Etag', state.etag.replaceAll('"', '')),
    element('Content-Length', state.content.size),
    element('Content-Type', state.type),
    element('Content-MD5', state.md5),
    element('BlobType', 'BlockBlob'),
    element('LeaseStatus', 'unlocked'),
    element('LeaseState', 'available'),
    element('DeletedTime', time(state.deletedAt)),
    element('RemainingRetentionDays', state.deletedAt === undefined ? undefined : 6),
  ];
  const metadata = Object.entries(state.metadata).map(([key, value]) => element(key, value));
  const facts = [
    nameXml(name),
    element('Deleted', state.deletedAt === undefined ? undefined : true),
    element('Snapshot', state.snapshot),
    element('VersionId', state.version),
    more,
    `<Properties>${properties.join('')}</Properties>`,
    `<Metadata>${metadata.join('')}</Metadata>`,
  ];
  return `<Blob>${facts.join('')}</Blob>`;
}

/** Names with characters that XML has not are percent-encoded. */
const nameXml = (name: string): string =>
  /[\uFFFE\uFFFF]/.test(name) ? `<Name Encoded="true">${encodeURIComponent(name)}</Name>` : `<Name>${escapeMarkup(name)}</Name>`;
