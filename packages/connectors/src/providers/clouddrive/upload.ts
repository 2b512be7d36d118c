import type { Readable } from 'node:stream';
import type { Entry, WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { assertSame, hashed, nodeHash } from '../../kit/hash/content-hash.ts';
import { type ItemTree, itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { nameOf, parentOf, partialPrefix } from '../../kit/names/path.ts';
import { multipartForm } from '../../kit/rest/multipart-form.ts';
import { type DriveItem, type Facts, Node, toItem } from './api.ts';
import type { Drive } from './drive.ts';

/**
 * Uploads a file in one request; the service has no other method and no versions: a replacement is uploaded under a temporary name,
 * verified by MD5, and then renamed.
 */
export function createUpload({ api, metadata, content, idOf }: Drive, tree: ItemTree<Facts>) {
  async function change(method: 'PATCH' | 'POST' | 'PUT', path: string, signal: AbortSignal, json?: object): Promise<DriveItem> {
    return toItem(await api.json(Node, { method, url: await metadata(path, { signal }), signal, ...(json && { json }) }));
  }

  async function send(folder: DriveItem, name: string, body: Readable, ask: WriteOptions): Promise<DriveItem> {
    const { signal, size, mimeType } = ask;
    const hash = nodeHash('md5');
    const file = { field: 'content', name: 'content', body: hashed(body, hash), ...(mimeType !== undefined && { type: mimeType }) };
    const parents = [await idOf(folder, ask)];
    const form = multipartForm(
      { metadata: JSON.stringify({ name, kind: 'FILE', parents }) },
      { ...file, ...(size !== undefined && { size }) },
    );
    const url = await content('/nodes', ask);
    const stored = toItem(await api.json(Node, { method: 'POST', url, query: { suppress: 'deduplication' }, ...form, signal }));
    try {
      assertSame(hash.digest(), stored.facts.md5);
    } catch (error) {
      await change('PUT', `/trash/${stored.id}`, AbortSignal.timeout(deadlines.aside));
      throw error;
    }
    return stored;
  }

  /** Sends idempotent calls, which may be retried after a lost response. */
  const surely = (method: 'PATCH' | 'POST' | 'PUT', path: string, signal: AbortSignal, json?: object): Promise<DriveItem> =>
    retryWhileBusy(signal, () => change(method, path, signal, json), isOutcomeUnknown);

  async function replace(old: DriveItem, folder: DriveItem, body: Readable, ask: WriteOptions): Promise<DriveItem> {
    const fresh = await send(folder, partialPrefix + crypto.randomUUID().slice(0, 13), body, ask);
    try {
      await surely('PUT', `/trash/${old.id}`, ask.signal);
      return await surely('PATCH', `/nodes/${fresh.id}`, ask.signal, { name: old.name });
    } catch (error) {
      const tidy = AbortSignal.timeout(deadlines.aside);
      await surely('PUT', `/trash/${fresh.id}`, tidy);
      await restore(old, tidy);
      throw error;
    }
  }

  /** Restores a file from the trash. A missing file is no error: an earlier attempt may have restored it. */
  async function restore({ id }: DriveItem, signal: AbortSignal): Promise<void> {
    try {
      await surely('POST', `/trash/${id}/restore`, signal);
    } catch (error) {
      if (!isKind(error, 'notFound', 'alreadyExists')) throw error;
    }
  }

  return async (path: string, body: Readable, ask: WriteOptions): Promise<Entry> => {
    try {
      const folder = await tree.folder(parentOf(path), ask);
      const name = itemNameOf(nameOf(path));
      const there = await tree.findIfThere(path, ask);
      if (there && ask.ifExists === 'fail') throw new ConnectorError('alreadyExists', 'the name is taken');
      if (there?.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder has this name');
      return tree.learnt(path, there ? await replace(there, folder, body, ask) : await send(folder, name, body, ask));
    } finally {
      body.destroy();
    }
  };
}
