import type { CallOptions, Connector, Entry } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { bodyHash, verified } from '../../kit/hash/content-hash.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { createItemAt } from '../../kit/id-tree/item-at.ts';
import { createItemTree, itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { joinPath, nameOf, parentOf, partialPrefix } from '../../kit/names/path.ts';
import { type DriveItem, Node, Quota, toItem } from './api.ts';
import { changesSince } from './changes.ts';
import { createDrive } from './drive.ts';
import { createUpload } from './upload.ts';

/** Opens a drive that speaks the protocol of Amazon Cloud Drive; rejects with `unreachable` when the operator has configured no URL. */
export function openCloudDrive(env: Env): Connector {
  const drive = createDrive(env);
  const { api, metadata, content, idOf, source } = drive;
  const tree = createItemTree(source);
  const at = createItemAt(tree);

  async function change(method: 'PATCH' | 'POST' | 'PUT', path: string, ask: CallOptions, json?: object): Promise<DriveItem> {
    return toItem(await api.json(Node, { method, url: await metadata(path, ask), signal: ask.signal, ...(json && { json }) }));
  }
  /** Idempotent, so that it can be retried after a lost response. */
  const named = (item: DriveItem, name: string, ask: CallOptions) =>
    retryWhileBusy(ask.signal, () => change('PATCH', `/nodes/${item.id}`, ask, { name }), isOutcomeUnknown);
  const placed = async (item: DriveItem, from: DriveItem, to: DriveItem, ask: CallOptions) => {
    const json = { fromParent: await idOf(from, ask), childId: item.id };
    const url = `/nodes/${await idOf(to, ask)}/children`;
    return retryWhileBusy(ask.signal, () => change('POST', url, ask, json));
  };

  /** Moving and renaming are two calls: in between, the item has a unique temporary name; on failure it is moved back. */
  async function moved(item: DriveItem, from: string, to: string, ask: CallOptions): Promise<DriveItem> {
    const [origin, folder] = [await tree.folder(parentOf(from), ask), await tree.folder(parentOf(to), ask)];
    const name = itemNameOf(nameOf(to));
    if (name === item.name) return placed(item, origin, folder, ask);
    if (await tree.isTaken(to, ask)) throw new ConnectorError('alreadyExists', 'the name is taken');
    let isAway = false;
    try {
      await named(item, partialPrefix + crypto.randomUUID().slice(0, 13), ask);
      await placed(item, origin, folder, ask);
      isAway = true;
      return await named(item, name, ask);
    } catch (error) {
      const tidy = { signal: AbortSignal.timeout(deadlines.aside) };
      if (isAway) await placed(item, folder, origin, tidy);
      await named(item, item.name, tidy);
      throw error;
    }
  }

  async function relocate(from: string, to: string, ask: CallOptions): Promise<Entry> {
    if (from === '/' || to.startsWith(joinPath(from, ''))) throw new ConnectorError('unsupported', 'a folder cannot go into itself');
    const isSameFolder = parentOf(from) === parentOf(to);
    const arrived = await at(from, ask, 'find', (item) =>
      isSameFolder ? named(item, itemNameOf(nameOf(to)), ask) : moved(item, from, to, ask),
    );
    tree.forget(from);
    return tree.learnt(to, arrived);
  }

  return {
    limits,
    list: (folder, ask) => tree.list(folder, ask),
    async stat(path, ask) {
      return tree.entryOf(path, await tree.find(path, ask));
    },
    read: (file, { range, signal }) =>
      at(file, { signal }, 'file', async (item) => {
        const asked = rangeHeader(range);
        const url = await content(`/nodes/${item.id}/content`, { signal });
        const response = await api.send({ method: 'GET', url, headers: { accept: '*/*', ...asked }, signal, accepts: [416] });
        const isWhole = asked['range'] === undefined;
        return verified(partOf(response, range, item.entry), isWhole ? item.facts.md5 : undefined, bodyHash('md5'));
      }),
    write: createUpload(drive, tree),
    async createFolder(path, ask) {
      const parents = [await idOf(await tree.folder(parentOf(path), ask), ask)];
      return tree.learnt(path, await change('POST', '/nodes', ask, { name: itemNameOf(nameOf(path)), kind: 'FOLDER', parents }));
    },
    rename: (path, newName, ask) => relocate(path, joinPath(parentOf(path), newName), ask),
    move: relocate,
    async remove(path, ask) {
      if (path === '/') throw new ConnectorError('unsupported', 'the root cannot be deleted');
      await at(path, ask, 'find', (item) => change('PUT', `/trash/${item.id}`, ask));
      tree.forget(path);
    },
    async thumbnail(file, { size, signal }) {
      const item = await tree.file(file, { signal });
      const isPicture = item.entry.mimeType?.startsWith('image/') || /\.(jpe?g|png|gif|bmp|tiff?)$/i.test(item.name);
      if (!isPicture) throw new ConnectorError('unsupported', 'there is no picture of this file');
      const url = await content(`/nodes/${item.id}/content`, { signal });
      const query = { viewBox: Math.round(size) };
      const response = await api.send({ method: 'GET', url, query, headers: { accept: 'image/*' }, signal });
      return response.body({ mimeType: response.headers['content-type'] ?? 'image/jpeg' });
    },
    async usage({ signal }) {
      const url = await metadata('/account/quota', { signal });
      const { quota, available = 0 } = await api.json(Quota, { method: 'GET', url, signal });
      if (quota === undefined) throw new ConnectorError('unsupported', 'the service tells no quota');
      return { used: Math.max(0, quota - available), total: quota };
    },
    changes: (since, ask) => changesSince(drive, tree, since, ask),
    close: async () => api.close(),
  };
}

const limits: StorageLimits = { names: shownRules({ ignoresCase: true }) };
