import type { CallOptions, Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import { createItemTree, itemNameOf, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { createGraph } from './account/client.ts';
import { DriveItem, type GraphItem, Quota, addressOf, readItem } from './api.ts';
import type { OneDriveConfig } from './config.ts';
import { readContent } from './download.ts';
import { naming } from './errors.ts';
import { createBin } from './items/bin.ts';
import { changesSince } from './items/changes.ts';
import { createFormerPlaces } from './items/former-places.ts';
import { changeable, childNamed, driveItems, folderFor } from './items/items.ts';
import { newNameOf, oneDriveLimits } from './items/names.ts';
import { createRelocation } from './items/relocate.ts';
import { searchItems } from './items/search.ts';
import { siteItems } from './items/sites.ts';
import { createSubscriptions } from './items/subscriptions.ts';
import { createVersions } from './items/versions.ts';
import { createParts } from './parts.ts';
import { readThumbnail } from './thumbnail.ts';
import { createUpload, rewrites } from './upload.ts';

/**
 * A drive of OneDrive, or the libraries of SharePoint's sites, through Microsoft Graph
 * (https://learn.microsoft.com/graph/api/resources/onedrive). Items are addressed by id, and by name only below a folder's id: names need
 * only URL escaping, and a concurrently renamed folder cannot lead to another item.
 */
export function openOneDrive({ flavour }: OneDriveConfig, env: Env): Connector {
  const graph = createGraph(env);
  // Personal accounts and those of organisations have separate services; within one service, every account uses the same drive ids.
  const service = `graph ${flavour.tenant}`;
  const showsSites = flavour.shows === 'sites';
  // Only personal drives restore what is deleted.
  const isPersonal = flavour.tenant === 'consumers';
  const tree = createItemTree(showsSites ? siteItems(graph) : driveItems(graph));
  const upload = createUpload(graph, tree);
  const former = createFormerPlaces();
  const relocation = createRelocation(graph, tree, former);

  /** Returns the item, revalidated. */
  async function fresh(path: string, ask: CallOptions): Promise<GraphItem> {
    if (ask.signal.aborted) throw new ConnectorError('aborted', 'given up');
    if (path === '/') return tree.find(path, ask);
    const { kind, facts } = await tree.find(parentOf(path), ask);
    if (facts.level === 'sites' || facts.level === 'site') return tree.find(path, ask);
    const item = kind === 'folder' ? await childNamed(graph, facts.inside, itemNameOf(nameOf(path)), ask) : undefined;
    if (item && nameOfItem(item.name) === nameOf(path)) return item;
    tree.forget(path);
    throw new ConnectorError('notFound', 'no item of that name');
  }

  async function freshFile(path: string, ask: CallOptions): Promise<GraphItem> {
    const item = await fresh(path, ask);
    if (item.kind === 'file') return item;
    throw new ConnectorError('isAFolder', 'the item is a folder');
  }

  /** Runs a call; drops the path from the cache when the item is gone. */
  async function heeding<Result>(path: string, call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      if (isKind(error, 'notFound')) tree.forget(path);
      throw error;
    }
  }

  async function makeFolder(path: string, ask: CallOptions) {
    const name = newNameOf(path);
    const folder = await folderFor(tree, path, ask);
    const json = { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' };
    const request = { method: 'POST', url: `${addressOf(folder)}/children`, json, signal: ask.signal };
    const made = readItem(await naming(graph.json(DriveItem, request)), folder.drive);
    if (!made) throw new ConnectorError('unexpected', 'the service made something else than a folder');
    return tree.learnt(path, made);
  }

  async function removeItem(path: string, ask: CallOptions) {
    const { id, facts } = await changeable(tree, path, ask);
    await graph.done({ method: 'DELETE', url: addressOf(facts.self), signal: ask.signal });
    former.add(id, path);
    tree.forget(path);
  }

  const stat: Connector['stat'] = async (path, ask) => tree.entryOf(path, await fresh(path, ask));

  return {
    hashes: ['quickXor', 'sha256', 'sha1'],
    rewrites,
    limits: oneDriveLimits,
    async *list(path, ask) {
      try {
        yield* tree.list(path, ask);
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
        if (path === '/') throw new ConnectorError('forbidden', 'the account has no drive', { cause: error });
        tree.forget(path);
        throw error;
      }
    },
    stat,
    // Every entry states whether it is a shortcut to a shared item.
    lstat: stat,
    read: async (path, { range, signal }) => readContent(graph, await freshFile(path, { signal }), range, signal),
    write: upload,
    ...(isPersonal && createBin({ graph, tree, former, folderId: async (folder, ask) => (await relocation.referenceOf(folder, ask)).id })),
    ...createVersions({ graph, freshFile, entryOf: tree.entryOf }),
    ...createParts({ graph, tree, leftovers: env.leftovers ?? noLeftovers }),
    createFolder: (path, ask) => heeding(parentOf(path), makeFolder(path, ask)),
    rename: (path, newName, ask) => heeding(path, relocation.move(path, joinPath(parentOf(path), newName), ask)),
    move: (from, to, ask) => heeding(from, relocation.move(from, to, ask)),
    copy: (from, to, ask) => heeding(from, relocation.copy(from, to, ask)),
    service,
    async serviceFile(path, ask) {
      const item = await freshFile(path, ask);
      return { service, location: await relocation.locate(item, ask), entry: tree.entryOf(path, item) };
    },
    async copyFrom(file, to, ask) {
      if (file.service !== service) throw new ConnectorError('unsupported', 'the file is of another service');
      return heeding(parentOf(to), relocation.copyFrom(file.location, to, ask));
    },
    remove: (path, ask) => heeding(path, removeItem(path, ask)),
    thumbnail: async (path, { size, signal }) => heeding(path, readThumbnail(graph, await tree.file(path, { signal }), size, signal)),
    search: (folder, ask) => searchItems(graph, tree, folder, ask),
    // A library's quota belongs to its site, not to the account.
    ...(!showsSites && {
      async usage({ signal }: CallOptions) {
        const { quota } = await graph.json(Quota, { method: 'GET', url: '/me/drive', query: { $select: 'quota' }, signal });
        const { used, total } = quota ?? {};
        return { used: used ?? 0, ...(total && total >= (used ?? 0) && { total }) };
      },
    }),
    changes: (since, ask) => changesSince({ graph, tree, former }, since, ask),
    ...createSubscriptions(graph, tree),
    close: async () => graph.close(),
  };
}
