import { type Connector, type Entry, joinPath, nameOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import type { OpenItem } from '#/files/items/open-item.ts';
import { readWholeFolder } from '#/files/listings/whole-folder.ts';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';
import { DavError } from './answers.ts';

/** One end of a copy. */
export interface End {
  readonly item: OpenItem;
  readonly path: string;
}

const isCode = (error: unknown, ...codes: AppError['messageCode'][]): boolean =>
  error instanceof AppError && codes.includes(error.messageCode);

/** Copies a file by passing its bytes on; never replaces unless told. */
export async function streamFile(from: End, entry: Entry, to: End, ifExists: 'fail' | 'replace', signal: AbortSignal): Promise<Entry> {
  const { write } = to.item.connector;
  if (!write) throw new DavError(403);
  const body = await from.item.connector.read(from.path, { signal, known: entry });
  const size = body.size ?? entry.size;
  return write(
    to.path,
    streamOf(body, () => undefined),
    {
      signal,
      ifExists,
      mimeType: mediaTypeOf(nameOf(to.path), entry.mimeType),
      ...(size !== undefined && { size }),
      ...(entry.modified !== undefined && { modified: entry.modified }),
    },
  );
}

/** Copies an item to a free path: by the source itself within a link where it can, otherwise by passing bytes on. */
export async function copyTree(from: End, entry: Entry, to: End, isDeep: boolean, signal: AbortSignal): Promise<Entry> {
  const isSame = from.item.userLinkId === to.item.userLinkId;
  if (isSame && isDeep) {
    const copied = await bySource(from.item.connector, from.path, to.path, signal);
    if (copied) return copied;
  }
  if (entry.kind === 'file') return streamFile(from, entry, to, 'fail', signal);
  const { createFolder } = to.item.connector;
  if (!createFolder) throw new DavError(403);
  const made = await createFolder(to.path, { signal });
  if (!isDeep) return made;
  // A link may lead out of the folder, or back into it.
  const isWanted = ({ isLink }: Entry): boolean => !isLink;
  const { userId, connector } = from.item;
  const { entries, release } = await readWholeFolder({ userId, connector, path: from.path, isWanted, signal });
  try {
    for (const one of entries) {
      const below = (end: End): End => ({ item: end.item, path: joinPath(end.path, one.name) });
      await copyTree(below(from), one, below(to), true, signal);
    }
  } finally {
    release();
  }
  return made;
}

/** The copy, or undefined where the source cannot make it. */
async function bySource(connector: Connector, from: string, to: string, signal: AbortSignal): Promise<Entry | undefined> {
  if (!connector.copy) return undefined;
  try {
    return await connector.copy(from, to, { signal });
  } catch (error) {
    if (isCode(error, 'SOURCE_CANNOT')) return undefined;
    throw error;
  }
}

/** Moves an item to a free path of its link; undefined where the source cannot. */
export async function moveBySource(connector: Connector, from: string, to: string, signal: AbortSignal): Promise<Entry | undefined> {
  const isRename = from.slice(0, from.lastIndexOf('/')) === to.slice(0, to.lastIndexOf('/'));
  try {
    if (isRename && connector.rename) return await connector.rename(from, nameOf(to), { signal });
    if (connector.move) return await connector.move(from, to, { signal });
    return undefined;
  } catch (error) {
    if (isCode(error, 'SOURCE_CANNOT')) return undefined;
    throw error;
  }
}
