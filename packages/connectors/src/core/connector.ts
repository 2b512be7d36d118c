import type { Readable } from 'node:stream';
import type { Bin } from './bin.ts';
import type { HashName, Hashes } from './hashes.ts';
import type { KeepOptions, SetAside, Versions } from './replacing.ts';
import type { ServiceCopies } from './service-copy.ts';
import type { StorageLimits } from './storage-limits.ts';
import type { NumberedUploads, ResumableUploads } from './upload.ts';

/** Options of every call. Calls reject with a ConnectorError of kind `aborted` when the signal aborts. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/** A file or a folder as the source has it. */
export interface Entry {
  /** One path segment, as shown: never empty, `.` or `..`, and without `/`. Not normalised: composed and decomposed accents differ. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Size in bytes; absent for folders and when the source does not report it. */
  readonly size?: number;
  /** Epoch seconds; absent when the source does not report it. */
  readonly modified?: number;
  /** Changes whenever the content does; opaque. */
  readonly etag?: string;
  readonly mimeType?: string;
  /** Hashes of the content as the source reports them, never computed by us; absent where it reports none. */
  readonly hashes?: Hashes;
  /** The item is a symbolic link, which may lead anywhere; reported by `list` and `lstat` of sources with symbolic links. */
  readonly isLink?: true;
}

/** A range of a file in bytes: `start` inclusive, `end` exclusive; without `end`, to the end of the file. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A file's bytes, streamed from the source. Call exactly one of `drain` and `cancel`, once. */
export interface Body {
  /** Number of bytes; absent when the source does not report it. */
  readonly size?: number;
  /** The file's metadata in the source's answer. */
  readonly entry: Partial<Omit<Entry, 'name' | 'kind'>>;
  /**
   * Passes every chunk to `take`, in order. A chunk's memory is lent: it may be reused once `take` has returned or its promise has settled, and the
   * source pauses while too much is lent. Resolves after the last chunk was taken; rejects with `interrupted` when the source stops early.
   */
  drain(take: (chunk: Uint8Array) => Promise<void> | undefined): Promise<void>;
  /** Stops the source. May be called at any time and repeatedly. */
  cancel(): void;
}

/** Options of `read`. */
export interface ReadOptions extends CallOptions {
  readonly range?: ByteRange;
  /** Known metadata of the file, such as its row of a listing: a body of another size is accepted only when the source confirms that size. */
  readonly known?: Pick<Entry, 'size'>;
  /** The caller wants the bytes only, to their end: a connector leaves out requests that would tell the file's size and time. */
  readonly bytesOnly?: boolean;
}

/** A file of at most {@link smallFileSize} bytes. */
export interface SmallFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Most files of one `readMany`, and most bytes of each. */
export const mostSmallFiles = 256;
export const smallFileSize = 1024 * 1024;

/** Options of `write`. */
export interface WriteOptions extends CallOptions {
  /** Declared number of bytes. A body of another length rejects with `sizeDiffers` and changes nothing. */
  readonly size?: number;
  /** `fail` rejects with `alreadyExists` when the path is taken, as reliably as the source allows. */
  readonly ifExists: 'replace' | 'fail';
  /**
   * Only with `fail`: the caller has seen within the last minute that the folder exists and that nothing in it has the name. The connector leaves out checks that
   * only keep bytes from being sent in vain; a name that was taken meanwhile is still refused.
   */
  readonly seenFree?: boolean;
  /**
   * Only with `fail`: returns another name in the same folder when the path is taken, undefined when there is none. A connector that can still store
   * the bytes there calls it instead of rejecting; the entry has the final name. Sends no request to the source, so it never waits for a connection.
   */
  readonly otherName?: () => Promise<string | undefined>;
  /** Modification time to store, in epoch seconds, where the source supports it. */
  readonly modified?: number;
  readonly mimeType?: string;
  /** Only with `replace`, at a link with a hidden bin: the file that is replaced goes there. */
  readonly keep?: KeepOptions;
  /** Only with `replace`, for connectors that `setsAside`: called once all bytes are stored and a file has the name, right before they take it. */
  readonly setAside?: SetAside;
}

/** Options of `digest`. */
export interface DigestOptions extends CallOptions {
  /** Bytes of the file: the source reads them all. */
  readonly size: number;
}

/** A search result: path and entry. */
export interface Found {
  readonly path: string;
  readonly entry: Entry;
}

/** Bytes used and available; without `total` there is no limit, or the source does not report it. */
export interface Usage {
  readonly used: number;
  readonly total?: number;
  /** Largest file that the account may upload, where that depends on the account. */
  readonly fileBytes?: number;
}

/** A new or changed item; without `entry` it was deleted. */
export interface Change {
  readonly path: string;
  readonly entry?: Entry;
}

export interface Changes {
  /** Cursor for the next call; opaque, may be stored for days. */
  readonly cursor: string;
  readonly items: readonly Change[];
  /** More than `items` may have changed: the cursor was too old, or an item's path is no longer known. */
  readonly incomplete: boolean;
}

/**
 * An opened account. `list`, `stat` and `read` always exist; every other method exists exactly when the source supports it, so `connector.rename` is
 * both the call and the capability. Paths start with `/`, never end with it (except the root, `/`) and contain no `.` or `..`; they are relative to
 * the link's start folder and cannot leave it. A layer refuses all other paths, and removes entries with such names from listings. Methods reject
 * with {@link ConnectorError} only.
 */
export interface Connector
  extends Partial<ResumableUploads>, Partial<NumberedUploads>, Partial<ServiceCopies>, Partial<Bin>, Partial<Versions> {
  /** Hashes that entries of this source may carry: a writer who computes these can compare. Absent where it reports none. */
  readonly hashes?: readonly HashName[];
  /** Whether the service changes files of that name after an upload, so that size and hashes differ from what was sent; absent where it never does. */
  rewrites?(name: string): boolean;
  /** `write` and `finishUpload` call `setAside`. */
  readonly setsAside?: true;
  /** Names, sizes and amounts that the source cannot store, as far as known. */
  readonly limits?: StorageLimits;
  /**
   * The folder's entries, in batches as they arrive and in any order, without duplicates. Rejects with `notFound` for a missing folder, with
   * `notAFolder` for a file; an empty folder yields nothing.
   */
  list(folder: string, ask: CallOptions): AsyncIterable<readonly Entry[]>;
  /**
   * Everything below the folder in one listing, where that takes fewer requests than a listing for each folder: a folder comes before what is in it, and all
   * of that before what follows the folder. Batches are pages, between which no connection is held. Rejects with `notFound` for a missing folder.
   */
  listTree?(folder: string, ask: CallOptions): AsyncIterable<readonly Found[]>;
  /** The entry; rejects with `notFound`. The root is a folder named ''. */
  stat(path: string, ask: CallOptions): Promise<Entry>;
  /** Like `stat`, but reports a symbolic link itself; exists where the source reports symbolic links. */
  lstat?(path: string, ask: CallOptions): Promise<Entry>;
  /**
   * Lets the source read a file and answer with hashes of its content that no entry carries; undefined where it cannot for this file. Equal hashes prove the
   * bytes. Differing ones prove nothing, as what reads the files there may see others under the path.
   */
  digest?(file: string, ask: DigestOptions): Promise<Hashes | undefined>;
  /** The bytes or a range of them; rejects with `notFound`, `isAFolder`, or `badRange` when the range begins past the end. */
  read(file: string, ask: ReadOptions): Promise<Body>;
  /**
   * The bytes of many small files, concatenated in the requested order, each with its declared size; exists where this is cheaper than separate
   * reads. Rejects or breaks off when one of them cannot be read; reading the files one by one then shows which.
   */
  readMany?(files: readonly SmallFile[], ask: CallOptions): Promise<Body>;
  /**
   * Stores the body under the path and returns the new entry. The parent must exist. A failed write leaves a previous file unchanged; the body is
   * consumed or destroyed in any case.
   */
  write?(file: string, body: Readable, ask: WriteOptions): Promise<Entry>;
  /**
   * Creates a folder; rejects with `alreadyExists` when the name is taken, `notFound` without the parent. With `isPrivate` other users of the server cannot
   * open it, where the source has such rights.
   */
  createFolder?(path: string, ask: CallOptions & { readonly isPrivate?: true }): Promise<Entry>;
  /** Renames the item within its folder; rejects with `alreadyExists` when the name is taken (never replaces). */
  rename?(path: string, newName: string, ask: CallOptions): Promise<Entry>;
  /** Moves the item to another path of the same link; never replaces. */
  move?(from: string, to: string, ask: CallOptions): Promise<Entry>;
  /** Copies on the server side; never replaces. */
  copy?(from: string, to: string, ask: CallOptions): Promise<Entry>;
  /** Deletes a file, or a folder with its content, into the source's bin if it has one; rejects with `notFound`. */
  remove?(path: string, ask: CallOptions): Promise<void>;
  /** A thumbnail of about `size` pixels, made by the source; rejects with `unsupported` where it has none. */
  thumbnail?(file: string, ask: CallOptions & { readonly size: number }): Promise<Body>;
  /**
   * Items in the folder and below whose names, or contents if the source indexes them, match the query; in any order, possibly without very new ones.
   */
  search?(folder: string, ask: CallOptions & { readonly query: string }): AsyncIterable<readonly Found[]>;
  /** Used and available space of the account. */
  usage?(ask: CallOptions): Promise<Usage>;
  /** Changes since the cursor; without `since` returns only a current cursor. */
  changes?(since: string | undefined, ask: CallOptions): Promise<Changes>;
  /**
   * Removes what the upload with this `leftover` note has left, and nothing else: see `Env.leftovers`. Resolves also when nothing is left. Exists
   * where broken uploads take space at the source until they are removed.
   */
  clearUp?(leftover: string, ask: CallOptions): Promise<void>;
  /** Closes all connections. No call may follow. */
  close(): Promise<void>;
}
