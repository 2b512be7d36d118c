import type { Readable } from 'node:stream';
import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { unlessRefused } from '../../core/service-copy.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { createItemTree, itemNameOf, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { type Facts, type Node, Space, placeOfKind, root } from './api.ts';
import { createTrash, createVersions } from './bins/trash.ts';
import { changesSince } from './changes.ts';
import { createBoxClient } from './client.ts';
import { readFile, readThumbnail } from './download.ts';
import { createItemSource } from './listing.ts';
import { createParts } from './parts/resumable.ts';
import { searchFolder } from './search.ts';
import { uploadFile } from './upload.ts';

/** Box's item ids are unique across all accounts. */
const service = 'box';

/** Opens a user's Box. The API addresses items by id; paths are resolved segment by segment. */
export function openBox(env: Env): Connector {
  const client = createBoxClient(env);
  const tree = createItemTree<Facts>(createItemSource(client));

  /** Works on the item at the path; when the cached id is stale, resolves the path again, once. */
  async function at<Result>(
    path: string,
    ask: CallOptions,
    find: 'find' | 'file' | 'folder',
    work: (node: Node) => Promise<Result>,
  ): Promise<Result> {
    const node = await tree[find](path, ask);
    try {
      return await work(node);
    } catch (error) {
      if (!isKind(error, 'notFound') || path === '/') throw error;
      for (let above = path; above !== '/'; above = parentOf(above)) tree.forget(above);
      const again = await tree[find](path, ask);
      if (again.id === node.id) throw error;
      return work(again);
    }
  }

  /** Returns the entry of a node in the folder, under the name that Box gave it. */
  const placed = (folder: string, node: Node): Entry => tree.learnt(joinPath(folder, nameOfItem(node.name)), node);

  /** Works on the folder that contains the path. */
  const inFolder = <Result>(path: string, ask: CallOptions, work: (folder: string) => Promise<Result>): Promise<Result> =>
    at(parentOf(path), ask, 'folder', ({ id }) => work(id));

  function refuseRoot(path: string): void {
    if (path === '/') throw new ConnectorError('forbidden', 'the root stays as it is');
  }

  async function relocate(from: string, to: string, ask: CallOptions): Promise<Entry> {
    refuseRoot(from);
    refuseRoot(to);
    const parent = parentOf(to) === parentOf(from) ? undefined : await tree.folder(parentOf(to), ask);
    const change = { name: itemNameOf(nameOf(to)), ...(parent && { parent: { id: parent.id } }) };
    const node = await at(from, ask, 'find', ({ kind, id }) => client.change('PUT', `/${placeOfKind[kind]}/${id}`, change, ask.signal));
    tree.forget(from);
    return placed(parentOf(to), node);
  }

  async function write(path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    try {
      refuseRoot(path);
      const folder = parentOf(path);
      const name = itemNameOf(nameOf(path));
      const node = await at(folder, ask, 'folder', ({ id }) => {
        // The first attempt used a stale id and has consumed part of the body, which cannot be sent again.
        if (body.readableDidRead) throw new ConnectorError('interrupted', 'the folder was moved while the file was sent');
        return uploadFile(client, { folder: id, name }, body, ask);
      });
      return placed(folder, node);
    } finally {
      body.destroy();
    }
  }

  return {
    hashes: ['sha1'],
    limits: boxLimits,
    list: (path, ask) => tree.list(path, ask),
    async stat(path, ask) {
      if (path !== '/') return at(path, ask, 'find', async (node) => tree.entryOf(path, node));
      await client.get('folder', root.id, ask.signal);
      return tree.entryOf(path, root);
    },
    read: (path, ask) => at(path, ask, 'file', (node) => readFile(client, node, ask.range, ask.signal)),
    write,
    ...createTrash({ client, at, folder: tree.folder, placed, forget: tree.forget, refuseRoot }),
    ...createVersions({ client, at, placed }),
    ...createParts(client, { inFolder, placed, refuseRoot }),
    async createFolder(path, ask) {
      if (path === '/') throw new ConnectorError('alreadyExists', 'the root is there');
      const folder = parentOf(path);
      const name = itemNameOf(nameOf(path));
      const node = await at(folder, ask, 'folder', ({ id }) => client.change('POST', '/folders', { name, parent: { id } }, ask.signal));
      return placed(folder, node);
    },
    rename: (path, newName, ask) => relocate(path, joinPath(parentOf(path), newName), ask),
    move: relocate,
    async copy(from, to, ask) {
      refuseRoot(from);
      refuseRoot(to);
      const { id } = await tree.folder(parentOf(to), ask);
      const json = { name: itemNameOf(nameOf(to)), parent: { id } };
      const node = await at(from, ask, 'find', (item) =>
        client.change('POST', `/${placeOfKind[item.kind]}/${item.id}/copy`, json, ask.signal),
      );
      return placed(parentOf(to), node);
    },
    service,
    serviceFile: (path, ask) => at(path, ask, 'file', async (node) => ({ service, location: node.id, entry: tree.entryOf(path, node) })),
    /** Box can copy a file of another account if it is shared with this account with download permission. */
    async copyFrom(file, to, ask) {
      if (file.service !== service) throw new ConnectorError('unsupported', 'the file is of another service');
      refuseRoot(to);
      const json = { name: itemNameOf(nameOf(to)), parent: { id: (await tree.folder(parentOf(to), ask)).id } };
      const node = await unlessRefused(() => client.change('POST', `/files/${file.location}/copy`, json, ask.signal));
      return placed(parentOf(to), node);
    },
    async remove(path, ask) {
      refuseRoot(path);
      await at(path, ask, 'find', ({ kind, id }) =>
        client.api.done({
          method: 'DELETE',
          url: `/${placeOfKind[kind]}/${id}`,
          ...(kind === 'folder' && { query: { recursive: true } }),
          signal: ask.signal,
          ...(kind === 'folder' && { headTimeout: deadlines.longWork }),
        }),
      );
      tree.forget(path);
    },
    thumbnail: (path, ask) => at(path, ask, 'file', (node) => readThumbnail(client, node, ask.size, ask.signal)),
    async *search(path, ask) {
      yield* searchFolder(client, path, await tree.folder(path, ask), ask);
    },
    async usage({ signal }) {
      const query = { fields: 'space_amount,space_used,max_upload_size' };
      const {
        space_amount,
        space_used,
        max_upload_size: fileBytes,
      } = await client.api.json(Space, { method: 'GET', url: '/users/me', query, signal });
      // Accounts without a quota report a placeholder number.
      return {
        used: space_used,
        ...(space_amount > 0 && space_amount < unbounded && { total: space_amount }),
        ...(fileBytes && { fileBytes }),
      };
    },
    changes: (since, ask) => changesSince(client, tree, since, ask),
    close: async () => client.close(),
  };
}

/** https://developer.box.com/reference/post-files-content/ and post-folders/ */
const boxLimits: StorageLimits = {
  names: shownRules({ forbidden: /[/\\\p{Cc}]/gu, badEnd: / $/u, length: { most: 255, unit: 'characters' }, ignoresCase: true }),
};

/** Bytes above which the quota counts as unlimited: a thousand terabytes. */
const unbounded = 10 ** 15;
