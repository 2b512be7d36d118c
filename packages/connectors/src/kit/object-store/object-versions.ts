import { type Static, Type } from 'typebox';
import type { Bin, BinItem, BinPage } from '../../core/bin.ts';
import type { Body, CallOptions, Connector, Entry } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { KeptVersion, VersionReadOptions, Versions } from '../../core/replacing.ts';
import { inParallel } from '../concurrency/parallel.ts';
import { retryWhileBusy } from '../concurrency/retry-busy.ts';
import { nameOf } from '../names/path.ts';
import { parseJson } from '../rest/json.ts';
import type { Place } from './object-paths.ts';
import type { StoredObject } from './object-store.ts';

/** A deleted object, whose versions are hidden by a delete marker. */
export interface HiddenObject {
  readonly key: string;
  readonly marker: string;
  /** The newest version that the marker hides, where the store needs it for the restoration. */
  readonly version?: string;
  /** Time of the deletion in epoch ms, by the store's clock. */
  readonly at: number;
  /** Size in bytes of the newest version that the marker hides. */
  readonly size: number;
}

/** A page of {@link HiddenObject}s. */
export interface HiddenPage {
  readonly objects: readonly HiddenObject[];
  /** Cursor of the next page; absent on the last one. */
  readonly cursor?: string;
}

/** A store that keeps versions of replaced and deleted objects. */
export interface ObjectVersions {
  /** Whether versions are enabled at present, which the owner of the bucket or container decides; absent where they always are. */
  keeps?(ask: CallOptions): Promise<boolean>;
  /** Returns the object's version; undefined where it is not kept when the object is replaced. */
  of(object: StoredObject, ask: CallOptions): string | undefined | Promise<string | undefined>;
  /** Makes a version the newest one again, inside the store. Rejects with `notFound` unless it is a version of that key. */
  restore(key: string, version: string, ask: CallOptions): Promise<void>;
  /**
   * Returns earlier versions of the object, newest first and without the present one, at most `mostVersions`; undefined where the store cannot show
   * them.
   */
  earlier(object: StoredObject, ask: CallOptions): Promise<readonly KeptVersion[] | undefined>;
  /** Returns the bytes of a version, or a range of them. Rejects with `notFound` unless it is a version of that key. */
  read(key: string, version: string, ask: VersionReadOptions): Promise<Body>;
  /** Returns the store's clock in epoch ms, from its response about an existing object. */
  clock(key: string, ask: CallOptions): Promise<number>;
  /** Yields the delete markers of the keys with that prefix. */
  hidden(prefix: string, ask: CallOptions): AsyncIterable<readonly HiddenObject[]>;
  /** Returns a page of all delete markers; absent where the store cannot list them. */
  pageOfHidden?(cursor: string | undefined, ask: CallOptions): Promise<HiddenPage>;
  /** Removes a delete marker. */
  reveal(object: HiddenObject, ask: CallOptions): Promise<void>;
  /**
   * Returns what was deleted by its version, when something else has its name; undefined when the version is gone, or is the present content. Only in
   * stores that forget a deletion as soon as its name is taken.
   */
  hiddenVersion?(key: string, version: string, ask: CallOptions): Promise<HiddenObject | undefined>;
}

/** Milliseconds for which it is trusted that a bucket keeps versions, or does not. */
const trustFor = 60_000;

/**
 * Asks whether a bucket keeps versions at most once a minute, and when `sign`, which may tell of a change, has another value. Who may not ask, a service
 * without versions, and a bucket that is gone are taken for one that keeps none.
 */
export function keptByBucket(
  isEnabled: (ask: CallOptions) => Promise<boolean>,
  sign: () => unknown = () => undefined,
): (ask: CallOptions) => Promise<boolean> {
  let known: { readonly keeps: boolean; readonly until: number; readonly sign: unknown } | undefined;
  return async (ask) => {
    const now = sign();
    if (known && known.until > performance.now() && known.sign === now) return known.keeps;
    const keeps = await isEnabled(ask).catch((error: unknown) => {
      if (isKind(error, 'forbidden', 'notFound', 'noBucket', 'unsupported')) return false;
      throw error;
    });
    known = { keeps, until: performance.now() + trustFor, sign: now };
    return keeps;
  };
}

interface Deps {
  readonly versions: ObjectVersions;
  readonly placeOf: (path: string) => Place;
  /** Returns the object of a file; undefined for a folder, and when nothing exists. */
  readonly findFile: (place: Place, ask: CallOptions) => Promise<StoredObject | undefined>;
  /** Returns an object in the folder, or the folder's own marker. */
  readonly firstIn: (place: Place, ask: CallOptions) => Promise<StoredObject | undefined>;
  readonly mustBeFree: (path: string, ask: CallOptions) => Promise<void>;
  /** Whether the object is one of Sheaf's own, which no listing shows. */
  readonly isHidden: (key: string) => boolean;
  readonly connector: Pick<Connector, 'stat'> & Required<Pick<Connector, 'remove'>>;
}

/** What was deleted, and the period of the deletion by the store's clock: delete markers of that period belong to this deletion. */
const Deletion = Type.Object({
  path: Type.String({ pattern: '^/' }),
  kind: Type.Union([Type.Literal('file'), Type.Literal('folder')]),
  since: Type.Integer(),
  until: Type.Optional(Type.Integer()),
  /** The version of a file, in stores with {@link ObjectVersions.hiddenVersion}. */
  version: Type.Optional(Type.String()),
});
type Deletion = Static<typeof Deletion>;

/** Maximum concurrent requests that remove markers. */
const width = 8;
/** Milliseconds added to the end of a deletion, because the store's clock is not requested again. */
const margin = 2000;

/** Maximum number of pages without a marker that are skipped in one answer. */
const mostEmptyPages = 10;

/** Bin and versions of a store that keeps versions itself. The store's own rules decide how long it keeps them. */
export function versionedFolders(deps: Deps): Bin & Required<Versions> {
  const { versions, placeOf, findFile, firstIn, mustBeFree, isHidden, connector } = deps;
  const { keeps, pageOfHidden } = versions;
  const missing = (path: string): ConnectorError => new ConnectorError('notFound', `${path} is not there`);

  async function* markersOf(deletion: Deletion, ask: CallOptions): AsyncGenerator<HiddenObject> {
    const { path, kind, since, until = Infinity, version } = deletion;
    const { key, prefix } = placeOf(path);
    let found = 0;
    for await (const markers of versions.hidden(kind === 'file' ? key : prefix, ask))
      for (const marker of markers)
        if (marker.at >= since && marker.at <= until && (kind === 'folder' || marker.key === key)) {
          found++;
          yield marker;
        }
    if (found > 0 || version === undefined) return;
    const marker = await versions.hiddenVersion?.(key, version, ask);
    if (marker) yield marker;
  }

  async function binned(binId: string, ask: CallOptions): Promise<Entry> {
    const deletion = deletionOf(binId);
    for await (const { size } of markersOf(deletion, ask))
      return { name: nameOf(deletion.path), kind: deletion.kind, ...(deletion.kind === 'file' && { size }) };
    throw missing(deletion.path);
  }

  /** Returns the deletion of one object as an item of the bin. */
  const itemOf = ({ key, at, size }: HiddenObject): BinItem => {
    const path = `/${key}`;
    const binId = JSON.stringify({ path, kind: 'file', since: at, until: at } satisfies Deletion);
    return { id: binId, name: nameOf(path), kind: 'file', size, path, deleted: at / 1000 };
  };
  /** A folder's own marker is not shown: folders are restored together with their content. */
  const isShown = ({ key }: HiddenObject): boolean => !key.endsWith('/') && !isHidden(key) && placeOf(`/${key}`).key === key;

  return {
    bin: 'source',
    ...(keeps && { keeps: (ask: CallOptions) => keeps(ask) }),
    ...(pageOfHidden && {
      async listBin(from: string | undefined, ask: CallOptions): Promise<BinPage> {
        let cursor = from;
        for (let pages = 1; ; pages++) {
          const page = await pageOfHidden(cursor, ask);
          const items = page.objects.filter(isShown).map(itemOf);
          cursor = page.cursor;
          if (cursor === undefined) return { items };
          if (items.length > 0 || pages === mostEmptyPages) return { items, cursor };
        }
      },
    }),
    async discard(path, { before, signal }) {
      const ask = { signal };
      const place = placeOf(path);
      const file = await findFile(place, ask);
      const object = file ?? (await firstIn(place, ask));
      if (!object || place.prefix === '') throw missing(path);
      const since = await versions.clock(object.key, ask);
      const begun = performance.now();
      const version = file && versions.hiddenVersion ? await versions.of(file, ask) : undefined;
      const deletion: Deletion = { path, kind: file ? 'file' : 'folder', since, ...(version !== undefined && { version }) };
      await before(JSON.stringify(deletion));
      await connector.remove(path, ask);
      const binId = JSON.stringify({ ...deletion, until: since + Math.ceil(performance.now() - begun) + margin } satisfies Deletion);
      await before(binId);
      return binId;
    },

    binned,

    async restore(binId, path, ask) {
      const deletion = deletionOf(binId);
      if (path !== undefined && path !== deletion.path)
        throw new ConnectorError('notFound', 'the store brings objects back to where they were');
      // An interrupted call may have restored part of the folder. A missing parent is no obstacle: it exists again with what is in it.
      const taken = await mustBeFree(deletion.path, ask).then(
        () => undefined,
        (error: unknown) => (isKind(error, 'notFound') ? undefined : error),
      );
      if (taken !== undefined && (deletion.kind === 'file' || !isKind(taken, 'alreadyExists'))) throw taken;
      let revealed = 0;
      await inParallel(markersOf(deletion, ask), width, async (marker) => {
        await retryWhileBusy(ask.signal, () => versions.reveal(marker, ask));
        revealed++;
      });
      if (revealed === 0) throw taken ?? missing(deletion.path);
      return connector.stat(deletion.path, ask);
    },

    async versionOf(path, ask) {
      if (keeps && !(await keeps(ask))) return undefined;
      const object = await findFile(placeOf(path), ask);
      if (!object) throw missing(path);
      return versions.of(object, ask);
    },

    async restoreVersion(path, version, ask) {
      await versions.restore(placeOf(path).key, version, ask);
      return connector.stat(path, ask);
    },

    async listVersions(path, ask) {
      const object = await findFile(placeOf(path), ask);
      if (!object) throw missing(path);
      const found = await versions.earlier(object, ask);
      // After the owner has disabled versions, older ones still exist.
      return found?.length === 0 && keeps && !(await keeps(ask)) ? undefined : found;
    },

    readVersion: (path, version, ask) => versions.read(placeOf(path).key, version, ask),
  };
}

function deletionOf(binId: string): Deletion {
  try {
    return parseJson(Deletion, binId);
  } catch (error) {
    if (isKind(error, 'unexpected')) throw new ConnectorError('notFound', 'the id is none of a deletion', { cause: error });
    throw error;
  }
}
