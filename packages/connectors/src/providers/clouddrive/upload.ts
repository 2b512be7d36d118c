import type { Readable } from 'node:stream';
import type { Entry, WriteAsk } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { assertSame, hashed, nodeHash } from '../../kit/content-hash.ts';
import { type ItemTree, itemNameOf } from '../../kit/item-tree.ts';
import { multipartForm } from '../../kit/multipart-form.ts';
import { nameOf, parentOf, partialPrefix } from '../../kit/path.ts';
import { type DriveItem, type Facts, Node, toItem } from './api.ts';
import type { Drive } from './drive.ts';

/** ms for putting things back after a failure, which must not depend on the caller's signal. */
const tidyTime = 30_000;

/**
 * Uploads a file in one request, all that the service had. There were no versions: a file that replaces another is sent beside it, compared with its MD5, and
 * takes its place then.
 */
export function createUpload({ api, metadata, content, idOf }: Drive, tree: ItemTree<Facts>) {
  async function change(method: 'PATCH' | 'POST' | 'PUT', path: string, signal: AbortSignal, json?: object): Promise<DriveItem> {
    return toItem(await api.json(Node, { method, url: await metadata(path, { signal }), signal, ...(json && { json }) }));
  }

  async function send(folder: DriveItem, name: string, body: Readable, ask: WriteAsk): Promise<DriveItem> {
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
      await change('PUT', `/trash/${stored.id}`, AbortSignal.timeout(tidyTime));
      throw error;
    }
    return stored;
  }

  async function replace(old: DriveItem, folder: DriveItem, body: Readable, ask: WriteAsk): Promise<DriveItem> {
    const fresh = await send(folder, partialPrefix + crypto.randomUUID().slice(0, 13), body, ask);
    const tidy = AbortSignal.timeout(tidyTime);
    try {
      await change('PUT', `/trash/${old.id}`, ask.signal);
    } catch (error) {
      await change('PUT', `/trash/${fresh.id}`, tidy);
      throw error;
    }
    try {
      return await change('PATCH', `/nodes/${fresh.id}`, ask.signal, { name: old.name });
    } catch (error) {
      await change('PUT', `/trash/${fresh.id}`, tidy);
      await change('POST', `/trash/${old.id}/restore`, tidy);
      throw error;
    }
  }

  return async (path: string, body: Readable, ask: WriteAsk): Promise<Entry> => {
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
