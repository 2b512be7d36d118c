import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import {
  type AutodeskItem,
  type Facts,
  NewVersion,
  ObjectDetails,
  OneFile,
  OneFolder,
  type StoredObject,
  fileItem,
  folderItem,
  isConstruction,
  withVersion,
} from './api.ts';
import { type AutodeskClient, documentType, folderUrl, objectUrl, part, projectUrl } from './client.ts';
import type { AutodeskSource } from './source.ts';
import { createStorage } from './upload.ts';

/** Concurrent copies of a folder's items. */
const copyWidth = 4;

/** The version type that marks a file as deleted. */
const deletedVersion = 'versions:autodesk.core:Deleted';
const jsonapi = { version: '1.0' };
const ref = (type: string, id: string) => ({ data: { type, id } });
/** Item types differ by the kind of hub. https://aps.autodesk.com/en/docs/data/v2/developers_guide/basics/ */
const extension = (kind: 'folders' | 'items' | 'versions', what: string, facts: Facts, type?: string) => ({
  type: `${kind}:${type ?? `autodesk.${isConstruction(facts) ? 'bim360' : 'core'}:${what}`}`,
  version: '1.0',
});

/** Creates folders, files and versions; renames and moves items. */
export function createMaker(client: AutodeskClient, source: AutodeskSource) {
  const { api } = client;
  const shared = { headers: documentType, headTimeout: deadlines.longWork };

  async function folder(parent: AutodeskItem, name: string, { signal }: CallOptions): Promise<AutodeskItem> {
    const data = {
      type: 'folders',
      attributes: { name, extension: extension('folders', 'Folder', parent.facts) },
      relationships: { parent: ref('folders', parent.id) },
    };
    const url = `${projectUrl(parent.facts.project)}/folders`;
    return folderItem((await api.json(OneFolder, { ...shared, method: 'POST', url, json: { jsonapi, data }, signal })).data, parent.facts);
  }

  /** Creates a file from an object in the object store, or from the version of another file of the project. */
  async function file(
    parent: AutodeskItem,
    name: string,
    from: { readonly storage: string } | { readonly copyFrom: string; readonly type?: string | undefined },
    { signal }: CallOptions,
  ): Promise<AutodeskItem> {
    const { facts } = parent;
    const type = 'copyFrom' in from ? from.type : undefined;
    const version = {
      type: 'versions',
      id: '1',
      attributes: { name, extension: extension('versions', 'File', facts, type) },
      ...('storage' in from && { relationships: { storage: ref('objects', from.storage) } }),
    };
    const data = {
      type: 'items',
      attributes: { displayName: name, extension: extension('items', 'File', facts, type) },
      relationships: { tip: ref('versions', '1'), parent: ref('folders', parent.id) },
    };
    const url = `${projectUrl(facts.project)}/items`;
    const query = 'copyFrom' in from ? { copyFrom: from.copyFrom } : {};
    const json = { jsonapi, data, included: [version] };
    const made = await api.json(OneFile, { ...shared, method: 'POST', url, query, json, signal });
    return fileItem(made.data, made.included?.[0], facts);
  }

  /** Creates a new version of a file: new bytes, a new name, or its deletion. */
  async function version(
    item: AutodeskItem,
    name: string,
    what: { readonly storage: string } | { readonly copyFrom: string } | 'deleted',
    { signal }: CallOptions,
  ): Promise<NewVersion['data']> {
    const type = what === 'deleted' ? { type: deletedVersion, version: '1.0' } : extension('versions', 'File', item.facts, item.facts.type);
    const hasStorage = what !== 'deleted' && 'storage' in what;
    const data = {
      type: 'versions',
      attributes: { name, extension: type },
      relationships: { item: ref('items', item.id), ...(hasStorage && { storage: ref('objects', what.storage) }) },
    };
    const url = `${projectUrl(item.facts.project)}/versions`;
    const query = what !== 'deleted' && 'copyFrom' in what ? { copyFrom: what.copyFrom } : {};
    return (await api.json(NewVersion, { ...shared, method: 'POST', url, query, json: { jsonapi, data }, signal })).data;
  }

  /** In Construction Cloud a file takes the name of its newest version; in Fusion Team the file has a name of its own. */
  async function renameFile(item: AutodeskItem, name: string, ask: CallOptions): Promise<AutodeskItem> {
    const { project, version: tip = '', object } = item.facts;
    if (isConstruction(item.facts)) return withVersion(item, await version(item, name, { copyFrom: tip }, ask), object);
    const data = { type: 'items', id: item.id, attributes: { displayName: name } };
    const url = `${projectUrl(project)}/items/${part(item.id)}`;
    await api.done({ ...shared, method: 'PATCH', url, json: { jsonapi, data }, signal: ask.signal });
    return { ...item, name };
  }

  async function changeFolder(
    { id, facts }: AutodeskItem,
    attributes: { readonly name?: string; readonly hidden?: true },
    parent: AutodeskItem | undefined,
    { signal }: CallOptions,
  ): Promise<AutodeskItem> {
    const data = { type: 'folders', id, attributes, ...(parent && { relationships: { parent: ref('folders', parent.id) } }) };
    const url = folderUrl(facts.project, id);
    return folderItem((await api.json(OneFolder, { ...shared, method: 'PATCH', url, json: { jsonapi, data }, signal })).data, facts);
  }

  /**
   * Copies a file's newest version to a new file. Within a project of Construction Cloud that is one call; otherwise the bytes are copied
   * within the object store.
   */
  async function copyFile(item: AutodeskItem, parent: AutodeskItem, name: string, ask: CallOptions): Promise<AutodeskItem> {
    const { project, version: tip, object } = item.facts;
    if (tip !== undefined && isConstruction(item.facts) && project === parent.facts.project)
      return withBytes(await file(parent, name, { copyFrom: tip, type: item.facts.type }, ask), item, object);
    if (!object) throw new ConnectorError('unsupported', 'the bytes of this file do not lie at Autodesk');
    const storage = await createStorage(client, parent.facts.project, parent.id, name, ask.signal);
    if (storage.object.bucket !== object.bucket) throw new ConnectorError('unsupported', 'the two projects lie in different regions');
    const url = `${objectUrl(object)}/copyto/${part(storage.object.key)}`;
    await api.json(ObjectDetails, { method: 'PUT', url, signal: ask.signal, headTimeout: deadlines.longWork });
    return withBytes(await file(parent, name, { storage: storage.urn }, ask), item, storage.object);
  }

  /** Returns a file's current state; rejects with `notFound` when it was deleted. */
  async function current({ id, facts }: AutodeskItem, { signal }: CallOptions): Promise<AutodeskItem> {
    const url = `${projectUrl(facts.project)}/items/${part(id)}`;
    const { data, included = [] } = await api.json(OneFile, { method: 'GET', url, signal });
    const tip = included.find((one) => one.id === data.relationships.tip.data.id);
    const isDeleted = data.attributes.hidden === true || tip?.attributes.extension?.type === deletedVersion;
    if (isDeleted) throw new ConnectorError('notFound', 'the file was deleted');
    return fileItem(data, tip, facts);
  }

  async function remove(item: AutodeskItem, ask: CallOptions): Promise<void> {
    if (item.kind === 'folder') await changeFolder(item, { hidden: true }, undefined, ask);
    else await version(item, item.name, 'deleted', ask);
  }

  async function copyFolder(item: AutodeskItem, parent: AutodeskItem, name: string, ask: CallOptions): Promise<AutodeskItem> {
    const made = await folder(parent, name, ask);
    await inParallel(childrenOf(item, ask), copyWidth, async (child) => {
      await copyInto(child, made, child.name, ask);
    }).catch((error: unknown) => undone(made, error));
    return made;
  }

  async function* childrenOf(item: AutodeskItem, ask: CallOptions): AsyncGenerator<AutodeskItem> {
    for await (const page of source.children(item, ask)) yield* page;
  }

  /** Autodesk copies files only: a folder is created and then filled. */
  const copyInto = (item: AutodeskItem, parent: AutodeskItem, name: string, ask: CallOptions): Promise<AutodeskItem> =>
    item.kind === 'folder' ? copyFolder(item, parent, name, ask) : copyFile(item, parent, name, ask);

  /** Deletes what was created before a failure. */
  async function undone(made: AutodeskItem, reason: unknown): Promise<never> {
    try {
      const tidy = { signal: AbortSignal.timeout(deadlines.aside) };
      await retryWhileBusy(tidy.signal, () => remove(made, tidy));
    } catch (error) {
      const cause = new AggregateError([reason, error]);
      throw new ConnectorError('interrupted', 'a copy or move failed half-way and what it made is still there', { cause });
    }
    throw reason;
  }

  return { folder, file, version, renameFile, changeFolder, copyFile, copyInto, remove, current, undone };
}

/** The response to a copy may lack the size and the object's address. */
function withBytes(made: AutodeskItem, from: AutodeskItem, object: StoredObject | undefined): AutodeskItem {
  const size = made.entry.size ?? from.entry.size;
  const place = made.facts.object ?? object;
  return {
    ...made,
    entry: { ...made.entry, ...(size !== undefined && { size }) },
    facts: { ...made.facts, ...(place && { object: place }) },
  };
}

export type AutodeskMaker = ReturnType<typeof createMaker>;
