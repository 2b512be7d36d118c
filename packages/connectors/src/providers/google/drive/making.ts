import type { CallOptions } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import { DriveFile, type DriveItem, fileFields } from './api.ts';
import type { DriveClient } from './client.ts';
import { bin, discard } from './discarding.ts';
import { folderType, shortcutType } from './exports.ts';
import type { DriveSource } from './source.ts';

/** Concurrent copies of a folder's items. */
const copyWidth = 4;

interface Metadata {
  readonly name: string;
  readonly mimeType: string;
  readonly parents: readonly string[];
  readonly shortcutDetails?: { readonly targetId: string };
}

/** Creates folders, shortcuts and copies. */
export function createMaker(client: DriveClient, source: DriveSource) {
  const { api } = client;
  const query = { supportsAllDrives: true, fields: fileFields };

  const post = (url: string, json: object, { signal }: CallOptions): Promise<DriveFile> =>
    retryWhileBusy(signal, () => api.json(DriveFile, { method: 'POST', url, query, json, signal }));
  const make = (metadata: Metadata, ask: CallOptions): Promise<DriveFile> => post('/drive/v3/files', metadata, ask);

  const folder = (parent: string, name: string, ask: CallOptions): Promise<DriveFile> =>
    make({ name, mimeType: folderType, parents: [parent] }, ask);

  const unmake = (id: string): Promise<void> => discard(client, id);

  /**
   * Drive copies files only: a folder is created and filled. A shortcut inside becomes a shortcut to the same item, so that copies cannot
   * recurse infinitely.
   */
  async function copyInto(item: DriveItem, parent: string, name: string, ask: CallOptions, isInside = false): Promise<DriveFile> {
    const { facts, kind } = item;
    if (facts.isShortcut && (isInside || facts.isBroken))
      return make({ name, mimeType: shortcutType, parents: [parent], shortcutDetails: { targetId: facts.target } }, ask);
    if (kind === 'folder') {
      const made = await folder(parent, name, ask);
      try {
        await inParallel(childrenOf(item, ask), copyWidth, async (child) => {
          await copyInto(child, made.id, documentName(child), ask, true);
        });
      } catch (error) {
        if (!isInside) await tidied(made.id, error);
        throw error;
      }
      return made;
    }
    return copyFile(facts.target, parent, name, ask);
  }

  /** Copies a file that the account may read, whoever owns it. */
  const copyFile = (id: string, parent: string, name: string, ask: CallOptions): Promise<DriveFile> =>
    post(`/drive/v3/files/${encodeURIComponent(id)}/copy`, { name, parents: [parent] }, ask);

  async function* childrenOf(item: DriveItem, ask: CallOptions): AsyncGenerator<DriveItem> {
    for await (const page of source.children(item, ask)) yield* page;
  }

  async function tidied(id: string, reason: unknown): Promise<void> {
    try {
      await unmake(id);
    } catch (error) {
      throw new ConnectorError('interrupted', 'a copy failed half-way and what it made is still there', {
        cause: new AggregateError([reason, error]),
      });
    }
  }

  /** Returns the other items with the name of an item just created. A failed lookup does not fail the creation. */
  async function twinsOf(item: DriveItem, parent: DriveItem, ask: CallOptions): Promise<readonly DriveItem[]> {
    try {
      const found = await retryWhileBusy(ask.signal, async () => source.named?.(parent, item.name, ask) ?? []);
      return found.filter(({ id, name }) => id !== item.id && name === item.name);
    } catch (error) {
      if (ask.signal.aborted || !(error instanceof ConnectorError)) throw error;
      return [];
    }
  }

  /**
   * Drive allows two items of the same name. Of two created concurrently the older one stays; the other is deleted, and its creation
   * rejects with `alreadyExists`.
   */
  async function mustBeOnly(made: DriveFile, parent: DriveItem, ask: CallOptions): Promise<void> {
    const [item] = await client.items([made], ask);
    if (!item) return;
    const twins = await twinsOf(item, parent, ask);
    if (!twins.some((twin) => isOlder(twin, item))) return;
    await unmake(made.id);
    throw new ConnectorError('alreadyExists', 'somebody else has taken the name');
  }

  /** Of two files written concurrently to one free name, each with overwrite, the later one wins: the other is moved to the trash. */
  async function replaceTwins(made: DriveFile, parent: DriveItem, ask: CallOptions): Promise<void> {
    const [item] = await client.items([made], ask);
    if (!item) return;
    const replaced = (await twinsOf(item, parent, ask)).filter(
      (twin) => twin.kind === 'file' && !twin.facts.isShortcut && isOlder(twin, item),
    );
    for (const { id } of replaced) await bin(client, id, ask.signal).catch(leaveTwin);
  }

  return { folder, copyInto, copyFile, mustBeOnly, replaceTwins, unmake };
}

/** Returns the name at Drive, without the extension under which a document is shown. */
export const documentName = ({ name, facts }: DriveItem): string => (facts.export ? name.slice(0, -facts.export.extension.length) : name);

const isOlder = (one: DriveItem, other: DriveItem): boolean =>
  one.facts.created < other.facts.created || (one.facts.created === other.facts.created && one.id < other.id);

/** The file is stored: a remaining duplicate, distinguished by a suffix, does not fail the upload. */
function leaveTwin(error: unknown): void {
  if (!(error instanceof ConnectorError)) throw error;
}
