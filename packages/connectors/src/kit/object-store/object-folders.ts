import { Readable } from 'node:stream';
import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type Leftovers, noLeftovers } from '../../core/leftovers.ts';
import { type ServiceCopies, unlessRefused } from '../../core/service-copy.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { unwritable } from '../names/name-encoding.ts';
import { joinPath, nameOf, parentOf, partialPrefix } from '../names/path.ts';
import { createMoves, parseMove } from './object-moves.ts';
import { type Place, createNaming, fileEntry, folderEntry, isMarker, placeOf } from './object-paths.ts';
import type { ObjectStore, PutOptions, StoredObject } from './object-store.ts';
import { createTimes, timesName } from './object-times.ts';
import { copyObject, removeObjects, removeTree } from './object-tree.ts';
import { numberedUploads, resumableUploads } from './object-uploads.ts';
import { versionedFolders } from './object-versions.ts';
import { atFreePath } from './other-name.ts';
import { treeOf } from './whole-tree.ts';

interface Options {
  readonly enhanced: boolean;
  readonly leftovers?: Leftovers | undefined;
  /** Removes the remains of an upload by its note; only in stores whose uploads leave any. */
  readonly clearUpUpload?: NonNullable<Connector['clearUp']>;
  readonly limits?: StorageLimits;
}

type ObjectFolders = Connector & Required<Pick<Connector, 'clearUp'>>;

/**
 * Shows a flat store as files and folders. A folder exists as long as a key begins with its prefix; `createFolder` creates an empty object
 * whose key ends in `/`. `enhanced` stores files' own times, and keeps a folder after its last file was deleted, even if another program
 * created it without such an object.
 */
export function openObjectFolders(
  store: ObjectStore,
  { enhanced, leftovers = noLeftovers, clearUpUpload, limits = {} }: Options,
): ObjectFolders {
  const times = enhanced && !store.listsFileTimes ? createTimes(store) : undefined;
  const isHidden = (key: string): boolean => {
    const name = key.slice(key.lastIndexOf('/') + 1);
    return name.startsWith(partialPrefix) || (times !== undefined && name === timesName);
  };
  const moves = createMoves({ store, leftovers, skip: isHidden });
  const shownTime = (object: StoredObject): StoredObject => (enhanced ? object : withoutFileTime(object));

  const metadataOf = ({ modified, mimeType }: Pick<WriteOptions, 'modified' | 'mimeType'>): Pick<PutOptions, 'fileTime' | 'mimeType'> => ({
    ...(enhanced && modified !== undefined && { fileTime: modified }),
    ...(mimeType !== undefined && { mimeType }),
  });
  const written = (object: StoredObject): StoredObject => {
    times?.written(object);
    return shownTime(object);
  };

  const findFile = async ({ key, folderOnly }: Place, ask: CallOptions): Promise<StoredObject | undefined> => {
    if (folderOnly || key === '' || isHidden(key)) return undefined;
    const object = await store.head(key, ask);
    return object && !isMarker(object) ? object : undefined;
  };

  /** Reads the whole listing, so that its connection can be reused. */
  const firstIn = async ({ prefix }: Place, { signal }: CallOptions): Promise<StoredObject | undefined> => {
    let found: StoredObject | undefined;
    for await (const { objects } of store.list(prefix, { signal, deep: true, limit: 1 })) found ??= objects[0];
    return found;
  };
  const folderExists = async (place: Place, ask: CallOptions): Promise<boolean> =>
    place.prefix === '' || (await firstIn(place, ask)) !== undefined;

  const putMarker = (prefix: string, { signal }: CallOptions): Promise<StoredObject> =>
    store.put(prefix, Readable.from([]), { signal, size: 0, mimeType: 'application/x-directory', ...(enhanced && { fileTime: now() }) });

  /** Keeps a folder whose last file is deleted. */
  const keepFolder = async (path: string, ask: CallOptions): Promise<void> => {
    const { prefix } = placeOf(path);
    if (enhanced && prefix !== '' && !(await store.head(prefix, ask))) await putMarker(prefix, ask);
  };

  /** Rejects unless the path is free and its parent exists. */
  const mustBeFree = async (path: string, ask: CallOptions): Promise<void> => {
    const place = placeOf(path);
    if (place.key === '' || isHidden(place.key)) throw taken(path);
    const [file, folder, parent] = await Promise.all([
      findFile({ ...place, folderOnly: false }, ask),
      folderExists(place, ask),
      folderExists(placeOf(parentOf(path)), ask),
    ]);
    if (file || folder) throw taken(path);
    if (!parent) throw missing(parentOf(path));
  };

  const transfer = async (from: string, to: string, ask: CallOptions, move: boolean): Promise<Entry> => {
    const source = placeOf(from);
    const target = placeOf(to);
    if (source.prefix === '') throw new ConnectorError('unsupported', 'the root cannot be moved or copied');
    if (from !== to && target.prefix.startsWith(source.prefix)) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
    const file = await findFile(source, ask);
    if (!file && !(await folderExists(source, ask))) throw missing(from);
    await mustBeFree(to, ask);
    const removal = (remove: () => Promise<void>) => afterCopy(from, ask, remove);
    if (!file) {
      if (move) await moves.tree(source.prefix, target.prefix, { from, to }, ask, removal);
      else await moves.copyTree(source.prefix, target.prefix, { from, to }, ask);
      return folderEntry(nameOf(to));
    }
    if (move) await moves.object(file, target.key, { from, to }, ask, removal);
    else await copyObject(store, file, target.key, ask);
    return stat(to, ask);
  };

  /** Runs the second half of a move. Reports a retryable refusal as final, because a retry would find the new name taken. */
  const afterCopy = async (from: string, ask: CallOptions, remove: () => Promise<void>): Promise<void> => {
    try {
      await keepFolder(parentOf(from), ask);
      await remove();
    } catch (error) {
      if (!isKind(error, 'rateLimited')) throw error;
      throw new ConnectorError('interrupted', 'everything was copied, but not all of the originals deleted', { cause: error });
    }
  };

  const stat = async (path: string, ask: CallOptions): Promise<Entry> => {
    const place = placeOf(path);
    if (place.prefix === '') return folderEntry('');
    const file = await findFile(place, ask);
    if (file) return fileEntry(shownTime(file), nameOf(path));
    if (await folderExists(place, ask)) return folderEntry(nameOf(path));
    throw missing(path);
  };

  const remove = async (path: string, ask: CallOptions): Promise<void> => {
    const place = placeOf(path);
    if (place.prefix === '') throw new ConnectorError('unsupported', 'the root cannot be deleted');
    const file = await findFile(place, ask);
    if (!file && !(await folderExists(place, ask))) throw missing(path);
    await keepFolder(parentOf(path), ask);
    if (file) await removeObjects(store, [file.key], ask);
    else await removeTree(store, place.prefix, ask);
  };

  const folders: Parameters<typeof resumableUploads>[1] = {
    placeOf,
    writable,
    written,
    putAsk: (ask) => ({ signal: ask.signal, ifAbsent: ask.ifExists === 'fail', ...metadataOf(ask) }),
  };

  return {
    ...(store.hashes && { hashes: store.hashes }),
    limits: { ...limits, names: { reserved: unwritable, ...limits.names } },
    ...(store.uploads && resumableUploads(store.uploads, folders)),
    ...(store.numbered && numberedUploads(store.numbered, folders)),
    ...(store.others && serviceCopies(store.others)),

    async *list(folder, { signal }) {
      const place = placeOf(folder);
      const { prefix } = place;
      const naming = createNaming(prefix);
      const ofFolder = await times?.ofFolder(prefix, { signal });
      let found = prefix === '';
      let last: string[] = [];
      for await (const { objects, prefixes, endOfPage } of store.list(prefix, {
        signal,
        deep: false,
        ...(ofFolder && { wholePages: true }),
      })) {
        found ||= objects.length > 0 || prefixes.length > 0;
        const files = objects.filter((object) => !isHidden(object.key) && !(object.key === prefix && isMarker(object)));
        const resolved = ofFolder ? await ofFolder.resolve(files) : files.map(shownTime);
        const entries = [...resolved.map(naming.file), ...prefixes.map(naming.folder)];
        if (entries.length > 0) yield entries;
        last = [objects.at(-1)?.key ?? last[0] ?? '', prefixes.at(-1) ?? last[1] ?? ''];
        if (endOfPage) naming.endPage(last);
      }
      if (!found) throw (await findFile(place, { signal })) ? new ConnectorError('notAFolder', `${folder} is a file`) : missing(folder);
      await ofFolder?.keep();
    },

    // With stored file times, a listing of the tree would need a request per folder for them.
    ...(!times && { listTree: (folder: string, ask: CallOptions) => treeOf(store, folder, ask, { isHidden, shown: shownTime }) }),

    stat,

    async read(path, { range, signal, known }) {
      const place = placeOf(path);
      if (place.folderOnly) throw isAFolder(path);
      if (place.key === '' || isHidden(place.key)) throw missing(path);
      try {
        const { object, body } = await store.get(place.key, { signal, ...(range && { range }), ...(known && { known }) });
        const { name: _, kind: __, ...facts } = fileEntry(shownTime(object), '');
        return body(facts);
      } catch (error) {
        if (isKind(error, 'notFound') && (await folderExists(place, { signal }))) throw isAFolder(path);
        throw error;
      }
    },

    async write(path, body, ask) {
      const { ifExists, signal, size, otherName } = ask;
      try {
        const begun = await atFreePath(path, ask, (at) => writable(at, at === path ? ask : { ...ask, seenFree: false }));
        let placed = begun.path;
        const otherKey = async (): Promise<string | undefined> => {
          const name = await otherName?.();
          if (name === undefined) return undefined;
          placed = joinPath(parentOf(path), name);
          return (await atFreePath(placed, ask, (at) => writable((placed = at), { ...ask, seenFree: false }))).result.key;
        };
        const stored = await store.put(begun.result.key, body, {
          signal,
          ifAbsent: ifExists === 'fail',
          ...(otherName && { otherKey }),
          ...(size !== undefined && { size }),
          ...metadataOf(ask),
        });
        return fileEntry(written(stored), nameOf(placed));
      } finally {
        body.destroy();
      }
    },

    async createFolder(path, ask) {
      await mustBeFree(path, ask);
      await putMarker(placeOf(path).prefix, ask);
      return folderEntry(nameOf(path));
    },

    rename: (path, newName, ask) => transfer(path, joinPath(parentOf(path), newName), ask, true),
    move: (from, to, ask) => transfer(from, to, ask, true),
    copy: (from, to, ask) => transfer(from, to, ask, false),

    remove,
    ...(store.versions &&
      versionedFolders({ versions: store.versions, placeOf, findFile, firstIn, mustBeFree, isHidden, connector: { stat, remove } })),

    async clearUp(leftover, ask) {
      const move = parseMove(leftover);
      if (move) await moves.finish(move, ask);
      else await clearUpUpload?.(leftover, ask);
    },

    close: () => Promise.resolve(store.close()),
  };

  function serviceCopies({ service, account, locationOf, copy }: NonNullable<ObjectStore['others']>): ServiceCopies {
    return {
      service,
      ...(account !== undefined && { account }),
      async serviceFile(path, { signal, forAccount = account }) {
        const ask = { signal };
        const place = placeOf(path);
        const object = await findFile(place, ask);
        if (object) return { service, location: locationOf(object, forAccount), entry: fileEntry(shownTime(object), nameOf(path)) };
        throw (await folderExists(place, ask)) ? isAFolder(path) : missing(path);
      },
      async copyFrom(file, to, ask) {
        if (file.service !== service) throw new ConnectorError('unsupported', 'the file is of another service');
        await mustBeFree(to, ask);
        const { size = 0, ...facts } = file.entry;
        await unlessRefused(() => copy(file.location, { key: '', size, ...facts }, placeOf(to).key, ask));
        return stat(to, ask);
      },
    };
  }

  /** Returns the place for a file; rejects when it is taken, or cannot be a file. */
  async function writable(path: string, ask: CallOptions & Pick<WriteOptions, 'ifExists' | 'seenFree'>): Promise<Place> {
    const place = placeOf(path);
    if (place.folderOnly || place.key === '' || isHidden(place.key))
      throw new ConnectorError('badName', 'this name has a meaning of its own');
    // The store itself refuses a taken key, see `ifAbsent`.
    if (ask.seenFree && ask.ifExists === 'fail') return place;
    const [folder, file, parent] = await Promise.all([
      folderExists(place, ask),
      ask.ifExists === 'fail' ? findFile(place, ask) : undefined,
      folderExists(placeOf(parentOf(path)), ask),
    ]);
    if (file || (folder && ask.ifExists === 'fail')) throw taken(path);
    if (folder && !(await findFile(place, ask))) throw isAFolder(path);
    if (!parent) throw missing(parentOf(path));
    return place;
  }
}

const now = (): number => Math.floor(Date.now() / 1000);
const missing = (path: string) => new ConnectorError('notFound', `${path} is not there`);
const taken = (path: string) => new ConnectorError('alreadyExists', `${path} is taken`);
const isAFolder = (path: string) => new ConnectorError('isAFolder', `${path} is a folder`);

function withoutFileTime(object: StoredObject): StoredObject {
  const { fileTime, ...shown } = object;
  return fileTime === undefined ? object : shown;
}
