import type { CallOptions, Connector, Entry, WriteOptions } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { noLeftovers } from '../../../core/leftovers.ts';
import { unlessRefused } from '../../../core/service-copy.ts';
import type { StorageLimits } from '../../../core/storage-limits.ts';
import { afterChange } from '../../../kit/concurrency/retry-busy.ts';
import { itemNameOf } from '../../../kit/id-tree/item-tree.ts';
import { shownRules } from '../../../kit/id-tree/shown-rules.ts';
import { joinPath, nameOf, parentOf } from '../../../kit/names/path.ts';
import type { UploadSizes } from '../apis/google-upload.ts';
import { About, DriveFile, type DriveItem, fileFields } from './api.ts';
import { createRevisions } from './bins/revisions.ts';
import { createDriveApi } from './client.ts';
import { createTrash, restore } from './discarding.ts';
import { openFile, openThumbnail } from './download.ts';
import { isGoogles } from './exports.ts';
import { changes, hintsOfChanges, search } from './finding.ts';
import { createMaker, documentName } from './making.ts';
import { type Aim, createParts } from './parts.ts';
import { createPlaces, isBelow } from './places.ts';
import { type SourceOptions, createDriveSource } from './source.ts';
import { type Destination, upload } from './upload.ts';

export { maxConnections } from './client.ts';

interface Options extends SourceOptions {
  readonly sizes?: UploadSizes;
  /** Size in bytes of a resumable part, a multiple of 256 KiB; 16 MiB by default. */
  readonly usualPart?: number;
}

/** Opens an account's Drive: My Drive, plus a folder of shared drives when the account has any. */
export function openDrive(env: Env, options: Options = {}): Connector {
  const client = createDriveApi(env);
  const source = createDriveSource(client, options);
  const places = createPlaces(client, source);
  const maker = createMaker(client, source);
  const { tree } = places;
  const { api } = client;

  /** Returns the entry of an item just created or changed at the path. */
  async function learnt(path: string, file: DriveFile, ask: CallOptions): Promise<Entry> {
    const [item] = await afterChange(ask.signal, () => client.items([file], ask));
    if (!item) throw new ConnectorError('unexpected', 'an item is missing');
    return tree.learnt(path, item);
  }

  /** Returns the parent of a new item and its name at Drive; rejects when the name is taken, also by duplicates. */
  async function freePlace(path: string, ask: CallOptions): Promise<{ readonly parent: DriveItem; readonly name: string }> {
    if (path === '/' || (await places.occupant(path, ask)).isTaken) throw new ConnectorError('alreadyExists', 'the name is taken');
    return { parent: await places.parent(parentOf(path), ask), name: driveNameOf(path) };
  }

  /** Refuses an item that ended up in the trash because its folder was deleted concurrently. */
  async function mustBeVisible(file: DriveFile, path: string): Promise<void> {
    if (!file.trashed) return;
    await maker.unmake(file.id);
    tree.forget(parentOf(path));
    throw new ConnectorError('notFound', 'the folder was thrown away');
  }

  /** Restores a file that was trashed while it was being replaced. */
  async function outOfBin(file: DriveFile, path: string): Promise<DriveFile> {
    if (!file.trashed) return file;
    tree.forget(path);
    const restored = await restore(client, file.id);
    if (restored.trashed) throw new ConnectorError('notFound', 'the folder was thrown away');
    return restored;
  }

  /** Renames an item, moves it, or both. */
  async function relocate(from: string, to: string, ask: CallOptions): Promise<Entry> {
    const item = await places.changeable(from, ask);
    if (from !== to && isBelow(to, from)) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
    const { parent } = await freePlace(to, ask);
    const ending = item.facts.export?.extension ?? '';
    if (!nameOf(to).endsWith(ending) || nameOf(to) === ending)
      throw new ConnectorError('badName', `the name of such a document ends in ${ending}`);
    const name = documentName({ ...item, name: driveNameOf(to) });
    const isMove = parentOf(from) !== parentOf(to);
    const { parent: old } = item.facts;
    const file = await api.json(DriveFile, {
      method: 'PATCH',
      url: `/drive/v3/files/${encodeURIComponent(item.id)}`,
      query: {
        supportsAllDrives: true,
        fields: fileFields,
        ...(isMove && { addParents: parent.facts.target, ...(old !== undefined && { removeParents: old }) }),
      },
      json: { name },
      signal: ask.signal,
    });
    tree.forget(from);
    return learnt(to, file, ask);
  }

  const stat: Connector['stat'] = async (path, ask) => tree.entryOf(path, await places.now(path, ask));

  return {
    hashes: ['md5', 'sha1'],
    limits: driveLimits,
    async *list(path, ask) {
      const folder = await tree.folder(path, ask);
      let isEmpty = true;
      try {
        for await (const batch of tree.list(path, ask)) {
          isEmpty = false;
          yield batch;
        }
      } catch (error) {
        if (!isEmpty || !isKind(error, 'notFound')) throw error;
      }
      // An empty result may mean that the folder was trashed or its id is stale: another folder may have taken its path.
      if (!isEmpty || folder.facts.place !== 'item') return;
      const current = await places.now(path, ask);
      if (current.kind !== 'folder') throw new ConnectorError('notAFolder', 'the item is a file');
      if (current.id !== folder.id) yield* tree.list(path, ask);
    },

    stat,
    // Every entry states whether it is a shortcut.
    lstat: stat,

    async read(path, ask) {
      const item = await places.now(path, ask);
      if (item.kind === 'folder') throw new ConnectorError('isAFolder', 'the item is a folder');
      return openFile(client, item, ask);
    },

    async write(path, body, ask) {
      try {
        const aim = await aimAt(path, ask);
        return await settled(path, await upload(client, aim.to, body, ask, options.sizes), aim, ask);
      } finally {
        body.destroy();
      }
    },

    ...createParts({ client, aimAt, settled, leftovers: env.leftovers ?? noLeftovers, ...options }),

    async createFolder(path, ask) {
      const { parent, name } = await freePlace(path, ask);
      const file = await maker.folder(parent.facts.target, name, ask);
      await mustBeVisible(file, path);
      await maker.mustBeOnly(file, parent, ask);
      return learnt(path, file, ask);
    },

    rename: (path, newName, ask) => relocate(path, joinPath(parentOf(path), newName), ask),
    move: relocate,

    async copy(from, to, ask) {
      const item = await places.changeable(from, ask);
      if (isBelow(to, from)) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
      const { parent, name } = await freePlace(to, ask);
      const file = await maker.copyInto(item, parent.facts.target, documentName({ ...item, name }), ask);
      await maker.mustBeOnly(file, parent, ask);
      return learnt(to, file, ask);
    },

    service: driveService,

    async serviceFile(path, ask) {
      const item = await places.now(path, ask);
      if (item.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder is copied item by item');
      if (item.facts.isBroken) throw new ConnectorError('unsupported', 'the shortcut leads nowhere');
      const located: Located = { id: item.facts.target, ending: item.facts.export?.extension ?? '' };
      return { service: driveService, location: JSON.stringify(located), entry: tree.entryOf(path, item) };
    },

    async copyFrom(file, to, ask) {
      if (file.service !== driveService) throw new ConnectorError('unsupported', 'the file is of another service');
      const { id, ending } = JSON.parse(file.location) as Located;
      const { parent, name } = await freePlace(to, ask);
      if (!name.endsWith(ending) || name === ending)
        throw new ConnectorError('unsupported', `a copy of such a document has a name that ends in ${ending}`);
      const title = name.slice(0, name.length - ending.length);
      const made = await unlessRefused(() => maker.copyFile(id, parent.facts.target, title, ask));
      await mustBeVisible(made, to);
      await maker.mustBeOnly(made, parent, ask);
      return learnt(to, made, ask);
    },

    async remove(path, ask) {
      const { id } = await places.changeable(path, ask);
      await api.done({
        method: 'PATCH',
        url: `/drive/v3/files/${encodeURIComponent(id)}`,
        query: { supportsAllDrives: true, fields: 'id' },
        json: { trashed: true },
        signal: ask.signal,
      });
      tree.forget(path);
    },

    async thumbnail(path, ask) {
      const item = await places.now(path, ask);
      if (item.kind === 'folder') throw new ConnectorError('isAFolder', 'the item is a folder');
      return openThumbnail(client, item, ask);
    },

    ...createTrash({ client, places, learnt }),
    ...createRevisions({ client, places, replaceable, learntUpload }),

    search: (folder, ask) => search({ source, places }, folder, ask),

    async usage({ signal }) {
      const query = { fields: 'storageQuota(usage,limit)' };
      const { storageQuota } = await api.json(About, { method: 'GET', url: '/drive/v3/about', query, signal });
      const total = storageQuota?.limit;
      return { used: Number(storageQuota?.usage ?? 0), ...(total !== undefined && { total: Number(total) }) };
    },

    changes: (since, ask) => changes(client, places, since, ask),
    ...hintsOfChanges(client),

    close: () => Promise.resolve(api.close()),
  };

  /** Returns where an upload goes; rejects when the name is taken by what it must not replace. */
  async function aimAt(path: string, ask: CallOptions & Pick<WriteOptions, 'ifExists'>): Promise<Aim> {
    const name = driveNameOf(path);
    const parent = await places.parent(parentOf(path), ask);
    const { item: there, isTaken } = await places.occupant(path, ask);
    if (isTaken && (ask.ifExists === 'fail' || !there))
      throw new ConnectorError('alreadyExists', 'the name is taken, perhaps more than once');
    return { to: there ? replaceable(there) : { parent: parent.facts.target, name }, parent, there };
  }

  /** Checks that a stored file is the only one of its name, and returns its entry. */
  async function settled(
    path: string,
    stored: DriveFile,
    { parent, there }: Aim,
    ask: CallOptions & Pick<WriteOptions, 'ifExists'>,
  ): Promise<Entry> {
    if (there) return learntUpload(path, await outOfBin(stored, path), there, ask);
    await mustBeVisible(stored, path);
    await (ask.ifExists === 'fail' ? maker.mustBeOnly(stored, parent, ask) : maker.replaceTwins(stored, parent, ask));
    return learntUpload(path, stored, there, ask);
  }

  /**
   * Returns the upload destination that replaces a file: a shortcut's target or the file itself. Google documents cannot be overwritten.
   */
  function replaceable({ kind, facts }: DriveItem): Destination {
    if (kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has that name');
    if (facts.isBroken || facts.export || isGoogles(facts.mimeType))
      throw new ConnectorError('unsupported', 'a document of Google cannot be replaced by bytes');
    return { id: facts.target };
  }

  /** Returns the entry of a file just uploaded; a file written through a shortcut is shown as the shortcut. */
  async function learntUpload(path: string, file: DriveFile, there: DriveItem | undefined, ask: CallOptions): Promise<Entry> {
    if (!there?.facts.isShortcut) return learnt(path, file, ask);
    tree.forget(path);
    return tree.entryOf(path, await afterChange(ask.signal, () => tree.find(path, ask)));
  }
}

/** One service for all accounts: each finds a file by its id, if it may read it. */
const driveService = 'googledrive';

/** Location of a file for a server-side copy. */
interface Located {
  readonly id: string;
  /** The extension under which a Google document is shown. */
  readonly ending: string;
}

/** Returns the item's name at Drive for a path; throws `badName` for an invalid name. */
function driveNameOf(path: string): string {
  const name = itemNameOf(nameOf(path));
  if (name === '' || !name.isWellFormed()) throw new ConnectorError('badName', 'no item can have this name');
  return name;
}

/**
 * https://support.google.com/a/answer/172541 (750 GB per day and user, maximum file size) and
 * https://developers.google.com/workspace/drive/api/guides/handle-errors (500,000 items per folder).
 */
const driveLimits: StorageLimits = {
  names: { ...shownRules({}), length: { most: 1024, unit: 'bytes' } },
  fileBytes: 5 * 1024 ** 4,
  folderItems: 500_000,
  dayBytes: 750 * 10 ** 9,
};
