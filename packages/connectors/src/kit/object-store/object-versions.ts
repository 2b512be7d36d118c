import { type Static, Type } from 'typebox';
import type { Bin } from '../../core/bin.ts';
import type { CallOptions, Connector, Entry } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { KeptVersion, Versions } from '../../core/replacing.ts';
import { inParallel } from '../concurrency/parallel.ts';
import { retryWhileBusy } from '../concurrency/retry-busy.ts';
import { nameOf } from '../names/path.ts';
import { parseJson } from '../rest/json.ts';
import type { Place } from './object-paths.ts';
import type { StoredObject } from './object-store.ts';

/** An object that was deleted: a marker hides its versions. */
export interface HiddenObject {
  readonly key: string;
  readonly marker: string;
  /** Epoch ms by the store's clock. */
  readonly at: number;
  /** Bytes of the newest version that the marker hides. */
  readonly size: number;
}

/** A store that keeps the versions of replaced and deleted objects. */
export interface ObjectVersions {
  /** The version that the object is. */
  of(object: StoredObject): string | undefined;
  /** Makes a version the newest again, inside the store. Rejects with `notFound` unless it is one of that key. */
  restore(key: string, version: string, ask: CallOptions): Promise<void>;
  /** Earlier versions of the object, the newest first and without the present one, at most `mostVersions`. */
  earlier(object: StoredObject, ask: CallOptions): Promise<readonly KeptVersion[]>;
  /** The store's clock, in epoch ms, as it answers about an object that is there. */
  clock(key: string, ask: CallOptions): Promise<number>;
  /** The markers of the keys with that prefix. */
  hidden(prefix: string, ask: CallOptions): AsyncIterable<readonly HiddenObject[]>;
  /** Removes a marker. */
  reveal(object: HiddenObject, ask: CallOptions): Promise<void>;
}

interface Deps {
  readonly versions: ObjectVersions;
  readonly placeOf: (path: string) => Place;
  /** The object of a file; undefined for a folder and for nothing. */
  readonly findFile: (place: Place, ask: CallOptions) => Promise<StoredObject | undefined>;
  /** An object in the folder, or its own marker. */
  readonly firstIn: (place: Place, ask: CallOptions) => Promise<StoredObject | undefined>;
  readonly mustBeFree: (path: string, ask: CallOptions) => Promise<void>;
  readonly connector: Pick<Connector, 'stat'> & Required<Pick<Connector, 'remove'>>;
}

/** What was deleted, and between which moments of the store's clock: the markers made then are those of this deletion. */
const Deletion = Type.Object({
  path: Type.String({ pattern: '^/' }),
  kind: Type.Union([Type.Literal('file'), Type.Literal('folder')]),
  since: Type.Integer(),
  until: Type.Optional(Type.Integer()),
});
type Deletion = Static<typeof Deletion>;

/** Concurrent requests that remove markers. */
const width = 8;
/** ms by which the end of a deletion is taken later: the store's clock is not asked again. */
const margin = 2000;

/** Deletions and replacements of a store with versions, undone by the store itself. It lists them for nobody, and they end when its rules say so. */
export function versionedFolders({ versions, placeOf, findFile, firstIn, mustBeFree, connector }: Deps): Bin & Required<Versions> {
  const missing = (path: string): ConnectorError => new ConnectorError('notFound', `${path} is not there`);

  async function* markersOf({ path, kind, since, until = Infinity }: Deletion, ask: CallOptions): AsyncGenerator<HiddenObject> {
    const { key, prefix } = placeOf(path);
    for await (const markers of versions.hidden(kind === 'file' ? key : prefix, ask))
      for (const marker of markers) if (marker.at >= since && marker.at <= until && (kind === 'folder' || marker.key === key)) yield marker;
  }

  async function binned(binId: string, ask: CallOptions): Promise<Entry> {
    const deletion = deletionOf(binId);
    for await (const { size } of markersOf(deletion, ask))
      return { name: nameOf(deletion.path), kind: deletion.kind, ...(deletion.kind === 'file' && { size }) };
    throw missing(deletion.path);
  }

  return {
    bin: 'source',
    async discard(path, { before, signal }) {
      const ask = { signal };
      const place = placeOf(path);
      const file = await findFile(place, ask);
      const object = file ?? (await firstIn(place, ask));
      if (!object || place.prefix === '') throw missing(path);
      const since = await versions.clock(object.key, ask);
      const begun = performance.now();
      const deletion: Deletion = { path, kind: file ? 'file' : 'folder', since };
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
      // An interrupted call may have brought back some of a folder.
      const taken = await mustBeFree(deletion.path, ask).then(
        () => undefined,
        (error: unknown) => error,
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
      const object = await findFile(placeOf(path), ask);
      if (!object) throw missing(path);
      return versions.of(object);
    },

    async restoreVersion(path, version, ask) {
      await versions.restore(placeOf(path).key, version, ask);
      return connector.stat(path, ask);
    },

    async listVersions(path, ask) {
      const object = await findFile(placeOf(path), ask);
      if (!object) throw missing(path);
      return versions.earlier(object, ask);
    },
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
