import { pipeline } from 'node:stream/promises';
import type { Item } from '@sheaf/contract';
import {
  type Manifest,
  type Vault,
  clearSize,
  isDamage,
  isManifestName,
  isShareFolderName,
  mergeParts,
  readPart,
  rootFolderId,
  withoutHeader,
} from '@sheaf/vault';
import type { Client } from '#/client.ts';
import { ConnectionLost } from '#/failure.ts';
import { listFolder } from '#/remote-paths.ts';
import { type Opened, folderUri } from './open.ts';

export interface ClearItem {
  readonly item: Item;
  readonly name: string;
  readonly isFolder: boolean;
  /** Clear size in bytes. */
  readonly size: number | undefined;
}

export interface ClearFolder {
  readonly linkUri: string;
  readonly items: readonly ClearItem[];
  readonly manifest: Manifest;
  /** Undefined if the parent records none. */
  readonly id: string | undefined;
}

/** Reads a folder of a vault with its records. Reads its parents first, because each records the ids of its subfolders. */
export async function readFolder(server: Client, opened: Opened, names: readonly string[], signal: AbortSignal): Promise<ClearFolder> {
  const { vault } = opened;
  const above = names.length === 0 ? undefined : await readFolder(server, opened, names.slice(0, -1), signal);
  const id = above ? above.manifest.folders.get(names.at(-1) ?? '') : rootFolderId;
  const linkUri = folderUri(opened, names);
  const all: ClearItem[] = [];
  for await (const item of listFolder(server, linkUri, signal)) {
    const isFolder = item.fileType === 'FOLDER';
    const name = isFolder ? vault.names.decryptFolder(item.name) : vault.names.decryptFile(item.name);
    if (name !== undefined) all.push({ item, name, isFolder, size: item.size === undefined ? undefined : clearSize(item.size) });
  }
  const isPart = ({ name, isFolder }: ClearItem): boolean => !isFolder && isManifestName(name);
  const parts = await Promise.all(all.filter(isPart).map((part) => partOf(server, vault, part, signal)));
  return {
    linkUri,
    items: all.filter((item) => !isPart(item) && !(item.isFolder && isShareFolderName(item.name))),
    manifest: mergeParts(
      parts.filter((part) => part !== undefined),
      id,
    ),
    id,
  };
}

/** Reads a part of a manifest; an unreadable part counts as empty. */
async function partOf(server: Client, vault: Vault, { item }: ClearItem, signal: AbortSignal) {
  const pieces: Uint8Array[] = [];
  try {
    const { read } = await openFile(server, vault, item, signal);
    for await (const piece of read()) pieces.push(piece);
  } catch (error) {
    signal.throwIfAborted();
    if (isDamage(error)) return undefined;
    throw error;
  }
  return readPart(Buffer.concat(pieces).toString());
}

/** Opens a file for reading; returns its nonce and a stream of its clear bytes. */
export async function openFile(server: Client, vault: Vault, item: Item, signal: AbortSignal) {
  const { stream, size = item.size } = await server.download(item.linkUri, signal);
  const { header, rest } = await withoutHeader(stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>);
  try {
    const nonce = vault.nonceOf(header);
    const whole = size ?? 0;
    return {
      nonce,
      end: (): void => void stream.destroy(),
      read: () => vault.files.read(() => rest, { size: whole, nonce, start: 0, end: clearSize(whole) ?? 0 }),
    };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/** Writes clear bytes to a file or to the output. Maps a broken connection to an error that is retried. */
export async function pour(pieces: AsyncIterable<Uint8Array>, to: NodeJS.WritableStream, end: boolean, signal: AbortSignal): Promise<void> {
  await pipeline(pieces, to, { signal, end }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
      throw new ConnectionLost('The download broke off in the middle.', 'failed', error);
    throw error;
  });
}
