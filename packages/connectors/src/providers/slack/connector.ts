import type { Readable } from 'node:stream';
import type { CallOptions, Connector, Entry, WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { createItemTree, itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { createRecentChildren } from '../../kit/id-tree/recent-children.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { nameOf, parentOf } from '../../kit/names/path.ts';
import { Nothing, type SlackItem, folderItem, toItem } from './api.ts';
import { createSlackClient } from './client.ts';
import type { SlackConfig } from './config.ts';
import { createConversations, looseFolder } from './conversations.ts';
import { createDownload } from './download.ts';
import { createFiles } from './files.ts';
import { createSearch } from './search.ts';
import { createUpload } from './upload.ts';

export interface SlackOptions {
  /** Maximum bytes of a body of unknown length that are held in memory. */
  readonly held?: number;
}

const root = folderItem('root', '');

/** Opens a workspace as its user sees it: conversations as folders with the files shared in them. */
export function openSlack({ userId }: SlackConfig, env: Env, { held }: SlackOptions = {}): Connector {
  const client = createSlackClient(env);
  const conversations = createConversations(client);
  const files = createFiles(client, userId);
  const recent = createRecentChildren<SlackItem['facts']>({
    list: (folder, ask) => (folder.id === root.id ? conversations : files)(folder, ask),
    // A conversation may be new, so that its absence is checked again; for files this would cost a listing per upload.
    trustsAbsence: ({ id }) => id !== root.id,
  });
  const tree = createItemTree({ root, children: recent.children, named: recent.named, duplicates: 'anywhere' });
  const download = createDownload(client);
  const upload = createUpload(client, held);

  function forget({ id }: SlackItem): void {
    recent.removed(id);
    for (const path of tree.pathsOf(id)) tree.forget(path);
  }

  const erase = async (item: SlackItem, { signal }: CallOptions): Promise<void> => {
    await client.call(Nothing, { name: 'files.delete', form: { file: item.id }, signal });
    forget(item);
  };

  /** Slack allows files of equal names: the old file is deleted once the new one is there. */
  async function write(path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
    const folder = await tree.folder(parentOf(path), ask);
    if (folder.id === root.id) throw new ConnectorError('unsupported', 'files lie in conversations only');
    const old = await tree.findIfThere(path, ask);
    if (ask.ifExists === 'fail' && (old || (await tree.isTaken(path, ask)))) throw new ConnectorError('alreadyExists', 'the name is taken');
    if (old && old.facts.file?.owner !== userId) throw new ConnectorError('forbidden', 'only whoever brought a file may replace it');
    const name = old?.name ?? itemNameOf(nameOf(path));
    const { file, size } = await upload(body, { name, ...(folder.id !== looseFolder.id && { channel: folder.id }) }, ask);
    const stored = toItem({ mode: 'hosted', user: userId, updated: Math.floor(Date.now() / 1000), ...file, name: file.name || name });
    const item = { ...stored, entry: { ...stored.entry, size } };
    recent.added(folder, item);
    if (old) await replace(old, item, ask);
    return tree.learnt(path, item);
  }

  /**
   * Deletes the old file, or the new one when Slack refuses that. While it is unknown whether the old one is gone, the new one stays: it
   * may be the only copy.
   */
  async function replace(old: SlackItem, item: SlackItem, ask: CallOptions): Promise<void> {
    const tidy = { signal: AbortSignal.timeout(deadlines.aside) };
    try {
      await retryWhileBusy(ask.signal, () => erase(old, ask)).catch((error: unknown) => {
        if (!isOutcomeUnknown(error)) throw error;
        return retryWhileBusy(tidy.signal, () => erase(old, tidy), isOutcomeUnknown);
      });
    } catch (error) {
      if (isKind(error, 'notFound')) return forget(old);
      if (!isOutcomeUnknown(error)) await retryWhileBusy(tidy.signal, () => erase(item, tidy), isOutcomeUnknown);
      throw error;
    }
  }

  return {
    limits,
    list: (folder, ask) => tree.list(folder, ask),
    stat: async (path, ask) => tree.entryOf(path, await tree.find(path, ask)),
    read: async (path, ask) => download.read(await tree.file(path, ask), ask.range, ask),
    async write(path, body, ask) {
      try {
        return await write(path, body, ask);
      } finally {
        body.destroy();
      }
    },
    async remove(path, ask) {
      const item = await tree.find(path, ask);
      if (item.kind === 'folder') throw new ConnectorError('unsupported', 'conversations are deleted in Slack itself');
      await erase(item, ask);
    },
    thumbnail: async (path, ask) => download.thumbnail(await tree.file(path, ask), ask.size, ask),
    search: createSearch({ client, tree, root, conversations: (ask) => recent.all(root, ask) }),
    close: async () => client.close(),
  };
}

/** https://slack.com/help/articles/201330736 */
const limits: StorageLimits = { names: shownRules({}), fileBytes: 1024 ** 3 };
