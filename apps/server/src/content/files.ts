import type { Readable } from 'node:stream';
import { type Body, type ByteRange, type Entry, joinPath, nameOf } from '@sheaf/connectors';
import { AppError, type InputOf, type Item, appError, foldName, numberedName, splitExtension, type upload } from '@sheaf/contract';
import type { Listings } from '#/listings/service.ts';
import { itemOf } from './items.ts';
import { mediaTypeOf } from './media-type.ts';
import { type Links, type OpenItem, cannotChange, checkName, isRoot, openItem } from './place.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
}

/** A file that is about to be read. */
export interface OpenFile {
  readonly name: string;
  /** The provider's title, for what the user is told. */
  readonly provider: string;
  /** What the source says of it now; rejects for a folder. */
  stat(signal: AbortSignal): Promise<Entry>;
  read(signal: AbortSignal, range?: ByteRange): Promise<Body>;
}

export interface UploadAsk extends Omit<InputOf<typeof upload>, 'rTag'> {
  /** Bytes that will come, where the client has told. */
  readonly size?: number;
}

/** Numbers that are tried for a taken name. */
const mostNumbers = 10_000;

/** Bytes of files, both ways; they flow through. */
export function createFiles({ links, listings }: Deps) {
  /** Paths that uploads under way have chosen because they were free. */
  const claimed = new Set<string>();

  return {
    /** The file at the address; nothing is asked of the source yet. */
    async openFile(userId: string, linkUri: string): Promise<OpenFile> {
      const item = await openItem(links, userId, linkUri);
      const { path, provider, connector } = item;
      if (isRoot(item)) throw appError('IS_A_FOLDER', { name: item.name });
      const name = nameOf(path);
      return {
        name,
        provider,
        async stat(signal) {
          const entry = await connector.stat(path, { signal });
          if (entry.kind === 'folder') throw appError('IS_A_FOLDER', { name });
          return entry;
        },
        read: (signal, range) => connector.read(path, { signal, ...(range && { range }) }),
      };
    },

    /** Stores a file and answers its item. Whatever fails, a file that stood there is as it was. */
    async upload(userId: string, ask: UploadAsk, body: Readable, signal: AbortSignal): Promise<Item> {
      const folder = await openItem(links, userId, ask.parentLinkUri);
      const { connector, provider, userLinkId, path } = folder;
      if (!connector.write) throw cannotChange(folder);
      checkName(ask.name, provider);
      const name = ask.conflict === 'rename' ? await freeName(folder, ask.name, signal) : ask.name;
      const file = joinPath(path, name);
      const claim = claimOf(folder, name);
      claimed.add(claim);
      try {
        const entry = await connector.write(file, body, {
          signal,
          ifExists: ask.conflict === 'replace' ? 'replace' : 'fail',
          mimeType: mediaTypeOf(name),
          ...(ask.size !== undefined && { size: ask.size }),
          ...(ask.modified !== undefined && { modified: Math.trunc(ask.modified / 1000) }),
        });
        await listings.note(userLinkId, path, { put: entry });
        return itemOf(ask.parentLinkUri, entry);
      } finally {
        claimed.delete(claim);
      }
    },
  };

  /** `name`, or the first "name 2.ext" that is free in the listing, at the source and among uploads under way. */
  async function freeName(folder: OpenItem, name: string, signal: AbortSignal): Promise<string> {
    const place = { linkId: folder.userLinkId, connector: folder.connector, path: folder.path };
    const taken = new Set((await listings.namesFrom(place, foldName(splitExtension(name).stem), signal)).map(foldName));
    for (let number = 1; number < mostNumbers; number++) {
      const candidate = number === 1 ? name : numberedName(name, number, 'file');
      const claim = claimOf(folder, candidate);
      if (taken.has(foldName(candidate)) || claimed.has(claim)) continue;
      // Claimed before the source is asked, so that two uploads at once do not take the same name.
      claimed.add(claim);
      const isFree = await isMissing(folder, candidate, signal).finally(() => claimed.delete(claim));
      if (isFree) return candidate;
    }
    throw appError('NAME_TAKEN', { name });
  }
}

async function isMissing({ connector, path }: OpenItem, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await connector.stat(joinPath(path, name), { signal });
    return false;
  } catch (error) {
    if (error instanceof AppError && error.messageCode === 'ITEM_NOT_FOUND') return true;
    throw error;
  }
}

const claimOf = ({ userLinkId, path }: OpenItem, name: string): string => `${userLinkId}:${foldName(joinPath(path, name))}`;
