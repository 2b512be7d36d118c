import type { Readable } from 'node:stream';
import { type Body, type Connector, type Entry, type ReadOptions, type WriteOptions, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type InputOf, type ReplyOf, appError, foldName, numberedName, splitExtension, type upload } from '@sheaf/contract';
import type { Journal } from '#/files/changes/journal.ts';
import { itemOf } from '#/files/items/items.ts';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import type { Claim, NameClaims } from '#/files/items/name-claims.ts';
import { type Links, type OpenItem, cannotChange, checkName, isRoot, openItem, storedAt } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { createUploadProgress } from './upload-progress.ts';
import { validatorsOf } from './validators.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly claims: NameClaims;
  /** Notes what is replaced. */
  readonly journal: Pick<Journal, 'replacing'>;
}

/** A file before it is read. */
export interface OpenFile {
  readonly name: string;
  /** The provider's title, for errors. */
  readonly provider: string;
  /** The source's current metadata; rejects for a folder. */
  stat(signal: AbortSignal): Promise<Entry>;
  /** The bytes; `known` is fresh metadata of the file, if it was requested. */
  read(signal: AbortSignal, ask?: Pick<ReadOptions, 'range' | 'known'>): Promise<Body>;
}

export interface UploadRequest extends Omit<InputOf<typeof upload>, 'rTag'> {
  /** Declared number of bytes, if any. */
  readonly size?: number;
}

/** Makes a file at the source; rejects as `write` of the connector does. */
export type Put = (connector: Connector, path: string, ask: WriteOptions) => Promise<Entry>;

function writing(body: Readable): Put {
  return async (connector, path, ask) => {
    if (!connector.write) throw appError('SOURCE_CANNOT', { provider: 'Sheaf' });
    return connector.write(path, body, ask);
  };
}

interface Claimed {
  readonly name: string;
  readonly claim: Claim | undefined;
}

interface Stored {
  readonly entry: Entry;
  /** Of the new version, where `ifMatch` named the old one. */
  readonly etag: string | undefined;
  /** Where a file was replaced that can be brought back. */
  readonly undoId: string | undefined;
}

/** Most numbers tried for a taken name. */
const mostNumbers = 10_000;

/** Uploads and downloads of files, as streams. */
export function createFiles({ links, listings, claims, journal }: Deps) {
  const progress = createUploadProgress();
  return {
    uploadProgress: progress.uploadProgress,

    /** The file at the address; sends no request yet. */
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
        async read(signal, { range, known } = {}) {
          const told = known ?? (await listings.findEntry(item.userLinkId, parentOf(path), name));
          return connector.read(path, { signal, ...(range && { range }), ...(told && { known: told }) });
        },
      };
    },

    /** The first of "name", "name 2" and so on that is not in `promised`, that nobody has and no upload under way will take, claimed until it is released. */
    async claimFreeName(
      folder: OpenItem,
      name: string,
      promised: readonly string[],
      signal: AbortSignal,
    ): Promise<{ name: string; release(): void }> {
      const names = await freeNames(folder, name, signal, promised);
      for (;;) {
        const next = await names.next();
        if (!next) throw appError('NAME_TAKEN', { name });
        const release = (): void => next.claim?.release();
        try {
          if (await isMissing(folder, next.name, signal)) return { name: next.name, release };
        } catch (error) {
          release();
          throw error;
        }
        release();
      }
    },
    isMissing,
    follow: progress.follow,

    /** Stores a file and returns its item. After a failure, a previous file is unchanged. */
    async upload(userId: string, ask: UploadRequest, body: Readable, signal: AbortSignal): Promise<ReplyOf<typeof upload>> {
      const { entry, etag, undoId } = await progress.follow(userId, ask, () => store(userId, ask, writing(body), signal));
      return { ...itemOf(ask.parentLinkUri, entry), ...(etag !== undefined && { etag }), ...(undoId !== undefined && { undoId }) };
    },

    /** Like `upload`, but returns the entry that the source reports for the file. */
    storeFile: async (userId: string, ask: UploadRequest, body: Readable, signal: AbortSignal): Promise<Entry> =>
      (await store(userId, ask, writing(body), signal)).entry,

    /** As `storeFile`, where the source already has the bytes and `assemble` makes the file of them. */
    assembleFile: async (
      userId: string,
      ask: UploadRequest & { readonly size: number },
      assemble: Put,
      signal: AbortSignal,
    ): Promise<Entry> => (await store(userId, ask, assemble, signal)).entry,
  };

  /** Stores a file. */
  async function store(userId: string, ask: UploadRequest, put: Put, signal: AbortSignal): Promise<Stored> {
    const folder = await openItem(links, userId, ask.parentLinkUri);
    const { connector, provider, userLinkId, path } = folder;
    if (!connector.write) throw cannotChange(folder);
    checkName(ask.name, provider);
    const names = ask.conflict === 'rename' && ask.ifMatch === undefined ? await freeNames(folder, ask.name, signal) : undefined;
    const claimed: Claimed[] = [];
    const claimNext = async (): Promise<string | undefined> => {
      const next = await names?.next();
      if (next) claimed.push(next);
      return next?.name;
    };
    try {
      const name = names ? await firstFree(folder, ask.name, claimNext, signal) : ask.name;
      // Keeps uploads that may choose their name away from this one.
      if (!names) claimed.push({ name, claim: await claims.take(claimedAt(folder, name)) });
      if (ask.ifMatch !== undefined) {
        // Without the claim another upload is taking the name.
        const isFree = claimed.every(({ claim }) => claim !== undefined);
        if (!isFree || (await tagOf(folder, name, signal)) !== ask.ifMatch) throw appError('FILE_CHANGED', { name });
      }
      const at = joinPath(path, name);
      const options = {
        signal,
        ...(names && { otherName: claimNext }),
        mimeType: mediaTypeOf(name),
        ...(ask.size !== undefined && { size: ask.size }),
        ...(ask.modified !== undefined && { modified: Math.trunc(ask.modified / 1000) }),
      };
      const replaces = ask.conflict === 'replace' || ask.ifMatch !== undefined;
      const place = { userId, linkId: userLinkId, connector, path: at };
      const seenFree = ask.ifMatch === undefined && !names && (await listings.isFree(place));
      const { result: entry, undoId } =
        replaces && !seenFree
          ? await journal.replacing(folder, { path: at, undoId: ask.undoId, signal }, async (kept) => {
              const made = await put(connector, at, { ...options, ...kept, ifExists: 'replace' });
              return { entry: made, result: made };
            })
          : {
              result: await listings.takingName(place, () => put(connector, at, { ...options, seenFree, ifExists: 'fail' })),
              undoId: undefined,
            };
      await listings.note(userLinkId, path, { put: entry });
      return { entry, etag: ask.ifMatch === undefined ? undefined : await tagOf(folder, name, signal), undoId };
    } finally {
      for (const { claim } of claimed) claim?.release();
    }
  }

  /** The first name that is also free at the source. */
  async function firstFree(folder: OpenItem, name: string, next: () => Promise<string | undefined>, signal: AbortSignal): Promise<string> {
    for (;;) {
      const candidate = await next();
      if (candidate === undefined) throw appError('NAME_TAKEN', { name });
      if (await isMissing(folder, candidate, signal)) return candidate;
    }
  }

  /** Claims `name`, then "name 2.ext" and so on, among names that are free in the listing and among uploads on all instances. */
  async function freeNames(
    folder: OpenItem,
    name: string,
    signal: AbortSignal,
    promised: readonly string[] = [],
  ): Promise<{ next(): Promise<Claimed | undefined> }> {
    const place = { userId: folder.userId, linkId: folder.userLinkId, connector: folder.connector, path: folder.path };
    const listed = await listings.namesFrom(place, foldName(splitExtension(name).stem), signal);
    const taken = new Set([...listed, ...promised].map(foldName));
    let number = 0;
    return {
      async next() {
        while (++number < mostNumbers) {
          const candidate = number === 1 ? name : numberedName(name, number, 'file');
          if (taken.has(foldName(candidate))) continue;
          const claim = await claims.take(claimedAt(folder, candidate));
          if (claim) return { name: candidate, claim };
        }
        return undefined;
      },
    };
  }
}

/** Tag of the file at the source, as downloads report it; undefined when it is gone, or the source has no tags and no dates. */
async function tagOf({ connector, path }: OpenItem, name: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return validatorsOf(await connector.stat(joinPath(path, name), { signal })).etag;
  } catch (error) {
    if (error instanceof AppError && error.messageCode === 'ITEM_NOT_FOUND') return undefined;
    throw error;
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

/** Key of a path for claims: equal for everybody who accesses it. */
function claimedAt(folder: OpenItem, name: string): string {
  const { linkId, path } = storedAt(folder, joinPath(folder.path, name));
  return `${linkId}:${path}`;
}
