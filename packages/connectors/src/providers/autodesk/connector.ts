import type { Readable } from 'node:stream';
import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { createItemTree, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { createRecentChildren } from '../../kit/id-tree/recent-children.ts';
import { joinPath, parentOf } from '../../kit/names/path.ts';
import { type AutodeskItem, type Facts, type StoredObject, withVersion } from './api.ts';
import { createAutodeskClient } from './client.ts';
import { readFile } from './download.ts';
import { createMaker } from './making.ts';
import { moveFile } from './moving.ts';
import { autodeskLimits, newNameOf } from './names.ts';
import { createSearch } from './search.ts';
import { createAutodeskSource } from './source.ts';
import { type PartSizes, createStorage, isLost, partSizes, uploadObject } from './upload.ts';

export interface AutodeskOptions {
  readonly sizes?: PartSizes;
}

interface Uploaded {
  readonly name: string;
  readonly urn: string;
  readonly object: StoredObject;
  /** The existing file of that name. */
  readonly old: AutodeskItem | undefined;
}

/** Opens all projects in which a user participates: hubs contain projects, projects contain folders and files. */
export function openAutodesk(env: Env, { sizes = partSizes }: AutodeskOptions = {}): Connector {
  const client = createAutodeskClient(env);
  const source = createAutodeskSource(client);
  const recent = createRecentChildren<Facts>({ list: source.children });
  const tree = createItemTree<Facts>({ ...source, children: recent.children, named: recent.named });
  const maker = createMaker(client, source);

  function forget(path: string, item: AutodeskItem): void {
    recent.removed(item.id);
    for (const place of [path, ...tree.pathsOf(item.id)]) tree.forget(place);
  }

  /** Works on the item at the path; drops it from the cache when it turns out to be gone. */
  async function on<Result>(path: string, item: AutodeskItem, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isKind(error, 'notFound')) forget(path, item);
      throw error;
    }
  }

  /** Returns the folder in which an item is created. Only Autodesk's administrators can change hubs and projects. */
  async function placeFor(path: string, ask: CallOptions): Promise<AutodeskItem> {
    const parent = await tree.folder(parentOf(path), ask);
    if (parent.facts.level !== 'folder') throw new ConnectorError('forbidden', 'items are made in folders only');
    return parent;
  }

  async function changeable(path: string, ask: CallOptions): Promise<AutodeskItem> {
    const item = await tree.find(path, ask);
    if (item.facts.isTop) throw new ConnectorError('forbidden', 'hubs, projects and their first folders stay as they are');
    return item;
  }

  /** Returns the path of a new item: the service may have changed its name slightly. */
  const placeOfNew = (path: string, { name }: AutodeskItem): string => joinPath(parentOf(path), nameOfItem(name));

  function placed(path: string, parent: AutodeskItem, item: AutodeskItem): Entry {
    recent.added(parent, item);
    return tree.learnt(path, item);
  }

  async function write(path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    const name = newNameOf(path);
    const parent = await placeFor(path, ask);
    const old = await tree.findIfThere(path, ask);
    if (old?.kind === 'folder') throw new ConnectorError(ask.ifExists === 'fail' ? 'alreadyExists' : 'isAFolder', 'a folder has the name');
    if (ask.ifExists === 'fail' && (old || (await tree.isTaken(path, ask)))) throw new ConnectorError('alreadyExists', 'the name is taken');
    return on(parentOf(path), parent, async () => {
      const { urn, object } = await createStorage(client, parent.facts.project, parent.id, name, ask.signal);
      const size = await uploadObject(client, object, body, ask, sizes);
      const item = await store(path, parent, { name, urn, object, old }, ask);
      const place = old ? path : placeOfNew(path, item);
      return placed(place, parent, { ...item, entry: { ...item.entry, size }, facts: { ...item.facts, object } });
    });
  }

  /** Returns the items of that name in the folder, freshly listed. */
  const namesakes = async (parent: AutodeskItem, name: string, ask: CallOptions): Promise<AutodeskItem[]> =>
    (await Array.fromAsync(recent.children(parent, ask))).flat().filter((item) => item.name === name);

  /** Stores the uploaded bytes as a new file, or as a new version when a file of that name exists or has just been created. */
  async function store(path: string, parent: AutodeskItem, { name, urn, object, old }: Uploaded, ask: WriteOptions): Promise<AutodeskItem> {
    const versionOf = async (item: AutodeskItem) =>
      withVersion(item, await maker.version(item, item.name, { storage: urn }, ask), undefined);
    try {
      return await (old ? versionOf(old) : maker.file(parent, name, { storage: urn }, ask));
    } catch (error) {
      if (isLost(error)) {
        const stored = (await namesakes(parent, name, ask)).find(({ facts }) => facts.object?.key === object.key);
        if (stored) return stored;
      }
      if (old && isKind(error, 'notFound')) {
        forget(path, old);
        return maker.file(parent, name, { storage: urn }, ask);
      }
      if (old || ask.ifExists === 'fail' || !isKind(error, 'alreadyExists')) throw error;
      const [other] = await namesakes(parent, name, ask);
      if (other?.kind !== 'file') throw error;
      return versionOf(other);
    }
  }

  async function relocate(how: 'move' | 'copy', from: string, to: string, ask: CallOptions): Promise<Entry> {
    const item = await changeable(from, ask);
    if (from === to && how === 'move') return tree.entryOf(from, item);
    const name = newNameOf(to);
    const parent = await placeFor(to, ask);
    if (to.startsWith(joinPath(from, ''))) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
    if (await tree.isTaken(to, ask)) throw new ConnectorError('alreadyExists', 'the name is taken');
    const made = await on(from, item, async () => {
      // Another version may have been stored since the folder was listed: uses the newest one.
      const now = item.kind === 'file' ? await maker.current(item, ask) : item;
      return how === 'copy' ? maker.copyInto(now, parent, name, ask) : moved(now, from, to, parent, name, ask);
    });
    if (how === 'move') forget(from, item);
    return placed(placeOfNew(to, made), parent, made);
  }

  function moved(
    item: AutodeskItem,
    from: string,
    to: string,
    parent: AutodeskItem,
    name: string,
    ask: CallOptions,
  ): Promise<AutodeskItem> {
    const isSamePlace = parentOf(from) === parentOf(to);
    if (item.kind === 'file') return isSamePlace ? maker.renameFile(item, name, ask) : moveFile(maker, item, parent, name, ask);
    if (item.facts.project !== parent.facts.project) throw new ConnectorError('unsupported', 'a folder stays in its project');
    return maker.changeFolder(item, name === item.name ? {} : { name }, isSamePlace ? undefined : parent, ask);
  }

  return {
    limits: autodeskLimits,
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
      const name = newNameOf(path);
      const parent = await placeFor(path, ask);
      if (await tree.isTaken(path, ask)) throw new ConnectorError('alreadyExists', 'the name is taken');
      const made = await on(parentOf(path), parent, () => maker.folder(parent, name, ask));
      return placed(placeOfNew(path, made), parent, made);
    },
    rename: (path, newName, ask) => relocate('move', path, joinPath(parentOf(path), newName), ask),
    move: (from, to, ask) => relocate('move', from, to, ask),
    copy: (from, to, ask) => relocate('copy', from, to, ask),
    async remove(path, ask) {
      const item = await changeable(path, ask);
      await on(path, item, () => maker.remove(item, ask));
      forget(path, item);
    },
    search: createSearch(client, source, tree),
    close: async () => client.close(),
  };
}
