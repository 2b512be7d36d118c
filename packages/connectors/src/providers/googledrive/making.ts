import type { Ask } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { inParallel } from '../../kit/parallel.ts';
import { DriveFile, type DriveItem, fileFields } from './api.ts';
import type { DriveClient } from './client.ts';
import { folderType, shortcutType } from './exports.ts';
import type { DriveSource } from './source.ts';

/** Items of a folder that are copied at once. */
const copyWidth = 4;
/** ms for taking back what must not stay, which must not depend on the caller's signal. */
const tidyTime = 30_000;

interface Metadata {
  readonly name: string;
  readonly mimeType: string;
  readonly parents: readonly string[];
  readonly shortcutDetails?: { readonly targetId: string };
}

/** Makes items of others: folders, shortcuts and copies. */
export function createMaker(client: DriveClient, source: DriveSource) {
  const { api } = client;
  const query = { supportsAllDrives: true, fields: fileFields };

  const make = (metadata: Metadata, { signal }: Ask): Promise<DriveFile> =>
    api.json(DriveFile, { method: 'POST', url: '/drive/v3/files', query, json: metadata, signal });

  const folder = (parent: string, name: string, ask: Ask): Promise<DriveFile> =>
    make({ name, mimeType: folderType, parents: [parent] }, ask);

  /** Deletes for good what was only just made. */
  async function unmake(id: string): Promise<void> {
    const url = `/drive/v3/files/${encodeURIComponent(id)}`;
    await api.done({ method: 'DELETE', url, query: { supportsAllDrives: true }, signal: AbortSignal.timeout(tidyTime) });
  }

  /** Drive copies files only: a folder is made anew and filled. A shortcut within becomes another one to the same item, so that no copy runs in a circle. */
  async function copyInto(item: DriveItem, parent: string, name: string, ask: Ask, isInside = false): Promise<DriveFile> {
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
    const url = `/drive/v3/files/${encodeURIComponent(facts.target)}/copy`;
    return api.json(DriveFile, { method: 'POST', url, query, json: { name, parents: [parent] }, signal: ask.signal });
  }

  async function* childrenOf(item: DriveItem, ask: Ask): AsyncGenerator<DriveItem> {
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

  /**
   * Drive lets two items have one name, whoever asks first. Of two that were made at the same moment the older one stays; the other is taken back, and rejects with
   * `alreadyExists`.
   */
  async function mustBeOnly(made: DriveFile, parent: DriveItem, ask: Ask): Promise<void> {
    const [item] = await client.items([made], ask);
    if (!item) return;
    const others = ((await source.named?.(parent, item.name, ask)) ?? []).filter(({ id, name }) => id !== item.id && name === item.name);
    if (!others.some((other) => isOlder(other, item))) return;
    await unmake(made.id);
    throw new ConnectorError('alreadyExists', 'somebody else has taken the name');
  }

  return { folder, copyInto, mustBeOnly, unmake };
}

/** The name at Drive, without the ending that a document is shown with. */
export const documentName = ({ name, facts }: DriveItem): string => (facts.export ? name.slice(0, -facts.export.extension.length) : name);

const isOlder = (one: DriveItem, other: DriveItem): boolean =>
  one.facts.created < other.facts.created || (one.facts.created === other.facts.created && one.id < other.id);
