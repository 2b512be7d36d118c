import { type Item, type ConflictRule, getMetadata } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { ConnectionLost, Failure } from '#/failure.ts';
import { ensureFolder, listFolder } from '#/places.ts';

export interface CopyTarget {
  readonly folder: Item;
  readonly name: string;
  readonly conflict: ConflictRule;
  /** Hears of each file before it is copied. */
  readonly onFile?: (item: Item) => void;
}

/** Copies an item into a folder of any link, a folder with all it holds; what arrived in part is not kept. Rejects with the first failure. */
export async function copyItem(client: Client, item: Item, target: CopyTarget, signal: AbortSignal): Promise<void> {
  const { folder, name, conflict, onFile } = target;
  if (item.fileType === 'FOLDER') {
    const made = await ensureFolder(client, folder, name, signal);
    for await (const inside of listFolder(client, item.linkUri, signal)) {
      await copyItem(client, inside, { ...target, folder: made, name: inside.name }, signal);
    }
    return;
  }
  onFile?.(item);
  const { stream, size } = await client.download(item.linkUri, signal);
  try {
    const modified = item.modified === undefined ? {} : { modified: item.modified * 1000 };
    const copy = await client.upload(
      { parentLinkUri: folder.linkUri, name, conflict, ...modified, stream, ...(size !== undefined && { size }) },
      signal,
    );
    const { size: arrived } = copy.size === undefined ? await client.ask(getMetadata, { linkUri: copy.linkUri }, signal) : copy;
    if (size !== undefined && arrived !== undefined && arrived !== size)
      throw new Failure(`${name} arrived with ${arrived} bytes instead of ${size}.`);
  } catch (error) {
    if (signal.aborted || error instanceof Failure) throw error;
    throw new ConnectionLost(`${name} broke off in the middle.`, 'failed', error);
  } finally {
    stream.destroy();
  }
}

/**
 * Copies an item as `copyItem` does and looks at it again: rejects with Failure when something of it is new or another by now, so that nothing is deleted that
 * has not been copied. `look` gives the item as it is now.
 */
export async function copyForMove(
  client: Client,
  look: () => Promise<Item>,
  target: Omit<CopyTarget, 'onFile'>,
  signal: AbortSignal,
): Promise<Item> {
  const copied = new Map<string, string>();
  const item = await look();
  await copyItem(client, item, { ...target, onFile: (file) => copied.set(file.linkUri, stateOf(file)) }, signal);
  const now = await look();
  for await (const file of filesOf(client, now, signal)) {
    if (copied.get(file.linkUri) !== stateOf(file))
      throw new Failure(`${file.name} came or changed while ${item.name} was copied. Nothing was deleted.`, 'incomplete');
  }
  return now;
}

const stateOf = ({ size, modified }: Item): string => JSON.stringify([size, modified]);

async function* filesOf(client: Client, item: Item, signal: AbortSignal): AsyncGenerator<Item> {
  if (item.fileType === 'FILE') yield item;
  else for await (const inside of listFolder(client, item.linkUri, signal)) yield* filesOf(client, inside, signal);
}
