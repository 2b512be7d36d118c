import type { Readable } from 'node:stream';
import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { createItemTree, itemNameOf, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { createRecentChildren } from '../../kit/id-tree/recent-children.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import type { Facts, ProcoreItem } from './api.ts';
import { createProcoreClient } from './client.ts';
import { readFile } from './download.ts';
import { createMaker } from './making.ts';
import { createSearch } from './search.ts';
import { createProcoreSource, defaultPageSize } from './source.ts';
import { type UploadSizes, longestUpload, uploadBody, uploadSizes } from './upload.ts';

export interface ProcoreOptions {
  readonly sizes?: UploadSizes;
  /** Page size for companies, projects and search results. */
  readonly pageSize?: number;
}

/**
 * Opens the documents of all companies in which a user participates: companies contain the company's documents and projects, these contain
 * folders and files.
 */
export function openProcore(env: Env, { sizes = uploadSizes, pageSize = defaultPageSize }: ProcoreOptions = {}): Connector {
  const client = createProcoreClient(env);
  const source = createProcoreSource(client, pageSize);
  const recent = createRecentChildren<Facts>({ list: source.children });
  const { root, duplicates } = source;
  const tree = createItemTree<Facts>({ root, duplicates, children: recent.children, named: recent.named });
  const maker = createMaker(client, source);

  function forget(path: string, item: ProcoreItem): void {
    recent.removed(item.id);
    for (const place of [path, ...tree.pathsOf(item.id)]) tree.forget(place);
  }

  /** Works on the item at the path; drops it from the cache when it turns out to be gone. */
  async function on<Result>(path: string, item: ProcoreItem, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isKind(error, 'notFound')) forget(path, item);
      throw error;
    }
  }

  /** Returns the item of that name in the folder, freshly listed. */
  async function namesake(parent: ProcoreItem, path: string, ask: CallOptions): Promise<ProcoreItem | undefined> {
    const shown = nameOf(path);
    return (await Array.fromAsync(recent.children(parent, ask))).flat().find(({ name }) => nameOfItem(name) === shown);
  }

  /**
   * Runs a call that names an item. Procore's errors for a taken name and an invalid one are the same: the folder's listing shows which it
   * was.
   */
  async function named<Result>(parent: ProcoreItem, path: string, ask: CallOptions, work: () => Promise<Result>): Promise<Result> {
    try {
      return await on(parentOf(path), parent, work);
    } catch (error) {
      if (isKind(error, 'badName') && (await namesake(parent, path, ask))) throw new ConnectorError('alreadyExists', 'the name is taken');
      throw error;
    }
  }

  /** Returns the folder in which an item is created. Only Procore's administrators can change companies and projects. */
  async function placeFor(path: string, ask: CallOptions): Promise<ProcoreItem> {
    const parent = await tree.folder(parentOf(path), ask);
    const { level } = parent.facts;
    if (level !== 'space' && level !== 'folder') throw new ConnectorError('forbidden', 'items are made among documents only');
    return parent;
  }

  async function changeable(path: string, ask: CallOptions): Promise<ProcoreItem> {
    const item = await tree.find(path, ask);
    const { level } = item.facts;
    if (level !== 'folder' && level !== 'file') throw new ConnectorError('forbidden', 'companies and projects stay as they are');
    return item;
  }

  /** Returns the path of a new item: the service may have changed its name slightly. */
  const placeOfNew = (path: string, { name }: ProcoreItem): string => joinPath(parentOf(path), nameOfItem(name));

  function placed(path: string, parent: ProcoreItem, item: ProcoreItem): Entry {
    recent.added(parent, item);
    return tree.learnt(path, item);
  }

  async function write(path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    const name = itemNameOf(nameOf(path));
    const parent = await placeFor(path, ask);
    const old = await tree.findIfThere(path, ask);
    if (old?.kind === 'folder') throw new ConnectorError(ask.ifExists === 'fail' ? 'alreadyExists' : 'isAFolder', 'a folder has the name');
    if (ask.ifExists === 'fail' && old) throw new ConnectorError('alreadyExists', 'the name is taken');
    const { uuid, size } = await uploadBody(client, { space: parent.facts.space, name }, body, ask, sizes);
    const item = await store(path, parent, name, uuid, old, ask);
    if (item.entry.size !== undefined && item.entry.size !== size)
      throw new ConnectorError('damaged', `Procore has ${item.entry.size} of ${size} bytes`);
    return placed(old ? path : placeOfNew(path, item), parent, { ...item, entry: { ...item.entry, size } });
  }

  /** Turns the upload into a new file, or into a new version when a file of that name exists or has just been created. */
  async function store(
    path: string,
    parent: ProcoreItem,
    name: string,
    uuid: string,
    old: ProcoreItem | undefined,
    ask: WriteOptions,
  ): Promise<ProcoreItem> {
    const make = () => named(parent, path, ask, () => maker.file(parent, name, uuid, ask));
    try {
      return await (old ? maker.version(old, uuid, ask) : make());
    } catch (error) {
      if (old && isKind(error, 'notFound')) {
        forget(path, old);
        return make();
      }
      if (old || ask.ifExists === 'fail' || !isKind(error, 'alreadyExists')) throw error;
      const other = await namesake(parent, path, ask);
      if (other?.kind !== 'file') throw error;
      return maker.version(other, uuid, ask);
    }
  }

  async function move(from: string, to: string, ask: CallOptions): Promise<Entry> {
    const item = await changeable(from, ask);
    if (from === to) return tree.entryOf(from, item);
    const parent = await placeFor(to, ask);
    const { space } = item.facts;
    if (space.company !== parent.facts.space.company || space.project !== parent.facts.space.project)
      throw new ConnectorError('unsupported', 'documents stay in their project');
    if (to.startsWith(joinPath(from, ''))) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
    if (await tree.isTaken(to, ask)) throw new ConnectorError('alreadyExists', 'the name is taken');
    const target = parentOf(from) === parentOf(to) ? undefined : parent;
    const made = await named(parent, to, ask, () => on(from, item, () => maker.relocate(item, itemNameOf(nameOf(to)), target, ask)));
    forget(from, item);
    return placed(placeOfNew(to, made), parent, made);
  }

  return {
    limits,
    list: (folder, ask) => tree.list(folder, ask),
    stat: async (path, ask) => tree.entryOf(path, await tree.find(path, ask)),
    async read(file, ask) {
      const item = await tree.file(file, ask);
      return on(file, item, () => readFile(client, item, ask.range, ask.signal));
    },
    async write(file, body, ask) {
      try {
        return await write(file, body, ask);
      } finally {
        body.destroy();
      }
    },
    async createFolder(path, ask) {
      const parent = await placeFor(path, ask);
      if (await tree.isTaken(path, ask)) throw new ConnectorError('alreadyExists', 'the name is taken');
      const made = await named(parent, path, ask, () => maker.folder(parent, itemNameOf(nameOf(path)), ask));
      return placed(placeOfNew(path, made), parent, made);
    },
    rename: (path, newName, ask) => move(path, joinPath(parentOf(path), newName), ask),
    move,
    async remove(path, ask) {
      const item = await changeable(path, ask);
      await on(path, item, () => maker.remove(item, ask));
      forget(path, item);
    },
    search: createSearch(client, source, tree),
    close: async () => client.close(),
  };
}

const limits: StorageLimits = { names: shownRules({}), fileBytes: longestUpload };
