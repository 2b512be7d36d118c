import { type Item, type ConflictRule, getMetadata } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { ConnectionLost, Failure } from '#/failure.ts';
import { ensureFolder, listFolder } from '#/places.ts';

export interface CopyTarget {
  readonly folder: Item;
  readonly name: string;
  readonly conflict: ConflictRule;
}

/** Copies an item into a folder of any link, a folder with all it holds; what arrived in part is not kept. Rejects with the first failure. */
export async function copyItem(client: Client, item: Item, { folder, name, conflict }: CopyTarget, signal: AbortSignal): Promise<void> {
  if (item.fileType === 'FOLDER') {
    const made = await ensureFolder(client, folder, name, signal);
    for await (const inside of listFolder(client, item.linkUri, signal)) {
      await copyItem(client, inside, { folder: made, name: inside.name, conflict }, signal);
    }
    return;
  }
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
