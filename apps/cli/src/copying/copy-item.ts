import { createHash } from 'node:crypto';
import { type Item, type ConflictRule, childUri, getMetadata } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { ConnectionLost, Failure } from '#/failure.ts';
import { ensureFolder, isMissing, listFolder } from '#/places.ts';

export interface CopyTarget {
  readonly folder: Item;
  readonly name: string;
  readonly conflict: ConflictRule;
  /** Called before each file is copied; returns whether it exists already and is skipped. */
  readonly onFile?: (item: Item, folder: Item, name: string) => Promise<boolean>;
}

/** Copies an item into a folder of any link, a folder with its content; removes incomplete copies. Rejects with the first failure. */
export async function copyItem(client: Client, item: Item, target: CopyTarget, signal: AbortSignal): Promise<void> {
  const { folder, name, conflict, onFile } = target;
  if (item.fileType === 'FOLDER') {
    const made = await ensureFolder(client, folder, name, signal);
    for await (const inside of listFolder(client, item.linkUri, signal)) {
      await copyItem(client, inside, { ...target, folder: made, name: inside.name }, signal);
    }
    return;
  }
  if (await onFile?.(item, folder, name)) return;
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
 * Copies like `copyItem` and verifies afterwards: rejects with Failure when something is new or has changed, so that nothing is deleted that was not
 * copied. `look` returns the item's current state.
 */
export async function copyForMove(
  client: Client,
  look: () => Promise<Item>,
  target: Omit<CopyTarget, 'onFile'>,
  signal: AbortSignal,
): Promise<Item> {
  const copied = new Map<string, string>();
  const item = await look();
  const onFile = async (file: Item, folder: Item, name: string): Promise<boolean> => {
    copied.set(file.linkUri, stateOf(file));
    return target.conflict === 'fail' && (await isThere(client, file, { folder, name }, signal));
  };
  await copyItem(client, item, { ...target, onFile }, signal);
  const now = await look();
  for await (const file of filesOf(client, now, signal)) {
    if (copied.get(file.linkUri) !== stateOf(file))
      throw new Failure(`${file.name} came or changed while ${item.name} was copied. Nothing was deleted.`, 'incomplete');
  }
  return now;
}

/** Whether an earlier, killed try has already stored the file: compares size and bytes. */
async function isThere(
  client: Client,
  file: Item,
  { folder, name }: { readonly folder: Item; readonly name: string },
  signal: AbortSignal,
): Promise<boolean> {
  const there = await itemIn(client, folder, name, signal);
  if (there?.fileType !== 'FILE' || there.size === undefined || there.size !== file.size) return false;
  const [one, other] = await Promise.all([file, there].map((item) => digestOf(client, item, signal)));
  return one === other;
}

async function itemIn(client: Client, folder: Item, name: string, signal: AbortSignal): Promise<Item | undefined> {
  try {
    return await client.ask(getMetadata, { linkUri: childUri(folder.linkUri, name) }, signal);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function digestOf(client: Client, { linkUri }: Item, signal: AbortSignal): Promise<string> {
  const { stream } = await client.download(linkUri, signal);
  const hash = createHash('sha256');
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) hash.update(chunk);
  } finally {
    stream.destroy();
  }
  return hash.digest('hex');
}

const stateOf = ({ size, modified }: Item): string => JSON.stringify([size, modified]);

async function* filesOf(client: Client, item: Item, signal: AbortSignal): AsyncGenerator<Item> {
  if (item.fileType === 'FILE') yield item;
  else for await (const inside of listFolder(client, item.linkUri, signal)) yield* filesOf(client, inside, signal);
}
