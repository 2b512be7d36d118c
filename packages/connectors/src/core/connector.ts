import type { Readable } from 'node:stream';
import type { Bin } from './bin.ts';
import type { HashName, Hashes } from './hashes.ts';
import type { Hints } from './hints/hints.ts';
import type { KeepOptions, SetAside, Versions } from './replacing.ts';
import type { ServiceCopies } from './service-copy.ts';
import type { StorageLimits } from './storage-limits.ts';
import type { NumberedUploads, ResumableUploads } from './upload.ts';

/** Options of every call. Calls reject with a ConnectorError of kind `aborted` when the signal aborts. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/** A file or folder as the source reports it. */
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
  /** Content hashes as reported by the source, never computed by Sheaf; absent where the source reports none. */
  readonly hashes?: Hashes;
  /** Whether the item is a symbolic link, which may lead anywhere; set by `list` and `lstat` of sources with symbolic links. */
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
   * Passes every chunk to `take`, in order. A chunk's memory is lent: it may be reused once `take` has returned or its promise has settled,
   * and the source pauses while too much is lent. Resolves after the last chunk was taken; rejects with `interrupted` when the source stops
   * early.
   */
  drain(take: (chunk: Uint8Array) => Promise<void> | undefined): Promise<void>;
  /** Stops the source. May be called at any time and repeatedly. */
  cancel(): void;
}

/** Options of `read`. */
export interface ReadOptions extends CallOptions {
  readonly range?: ByteRange;
  /** Known metadata of the file, for example from a listing: a body of another size is accepted only when the source confirms that size. */
  readonly known?: Pick<Entry, 'size'>;
  /** The caller needs only the bytes, and reads to the end: a connector omits requests that only fetch the file's size and time. */
  readonly bytesOnly?: boolean;
}

/** A file of at most {@link smallFileSize} bytes. */
export interface SmallFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Maximum number of files in one `readMany`, and maximum size of each in bytes. */
export const mostSmallFiles = 256;
export const smallFileSize = 1024 * 1024;

/** Options of `write`. */
export interface WriteOptions extends CallOptions {
  /** Declared number of bytes. A body of another length rejects with `sizeDiffers` and changes nothing. */
  readonly size?: number;
  /** `fail` rejects with `alreadyExists` when the path is taken, as reliably as the source allows. */
  readonly ifExists: 'replace' | 'fail';
  /**
   * Only with `fail`: within the last minute, the caller has seen that the folder exists and that the name is free. The connector omits
   * checks that only avoid a useless upload; a name that was taken in the meantime is still refused.
   */
  readonly seenFree?: boolean;
  /**
   * Only with `fail`: returns another name in the same folder when the path is taken, undefined when there is none. A connector that can
   * still store the bytes there calls it instead of rejecting; the entry has the final name. Sends no request to the source, so it never
   * waits for a connection.
   */
  readonly otherName?: () => Promise<string | undefined>;
  /** Modification time to store, in epoch seconds, where the source supports it. */
  readonly modified?: number;
  readonly mimeType?: string;
  /** Only with `replace`, for links with a hidden bin: the replaced file goes there. */
  readonly keep?: KeepOptions;
  /**
   * Only with `replace`, for connectors that `setsAside`: called after all bytes are stored and right before they replace an existing file.
   */
  readonly setAside?: SetAside;
}

/** Options of `digest`. */
export interface DigestOptions extends CallOptions {
  /** Size of the file in bytes: the source reads all of it. */
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
  /** Maximum size of an upload in bytes, where it depends on the account. */
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
  /** Whether more than `items` may have changed: the cursor was too old, or an item's path is no longer known. */
  readonly incomplete: boolean;
}

/**
 * An opened account. `list`, `stat` and `read` always exist; every other method exists exactly when the source supports it, so
 * `connector.rename` is both the call and the capability. Paths start with `/`, never end with it (except the root, `/`) and contain no `.`
 * or `..`; they are relative to the link's start folder and cannot leave it. A layer refuses all other paths, and removes entries with such
 * names from listings. Methods reject with {@link ConnectorError} only.
 */
export interface Connector
  extends Partial<ResumableUploads>, Partial<NumberedUploads>, Partial<ServiceCopies>, Partial<Bin>, Partial<Versions>, Partial<Hints> {
  /** Hashes that entries of this source may have: a writer that computes these can compare them. Absent where the source reports none. */
  readonly hashes?: readonly HashName[];
  /**
   * Whether the service changes files with this name after an upload, so that size and hashes differ from what was sent; absent where it
   * never does.
   */
  rewrites?(name: string): boolean;
  /** Whether `write` and `finishUpload` call `setAside`. */
  readonly setsAside?: true;
  /** Names, sizes and amounts that the source cannot store, as far as known. */
  readonly limits?: StorageLimits;
  /**
   * The folder's entries, in batches as they arrive and in any order, without duplicates. Rejects with `notFound` for a missing folder,
   * with `notAFolder` for a file; an empty folder yields nothing.
   */
  list(folder: string, ask: CallOptions): AsyncIterable<readonly Entry[]>;
  /**
   * Everything below the folder in one listing, where that takes fewer requests than one listing per folder. In depth-first order: a folder
   * comes before its content, and all of its content before the next sibling. Batches are pages; no connection is held between them.
   * Rejects with `notFound` for a missing folder.
   */
  listTree?(folder: string, ask: CallOptions): AsyncIterable<readonly Found[]>;
  /** Returns the entry; rejects with `notFound`. The root is a folder named ''. */
  stat(path: string, ask: CallOptions): Promise<Entry>;
  /** Like `stat`, but reports a symbolic link itself; exists where the source reports symbolic links. */
  lstat?(path: string, ask: CallOptions): Promise<Entry>;
  /**
   * Lets the source read a file and return hashes of its content that no entry has; undefined where it cannot hash this file. Equal hashes
   * prove that the bytes are equal. Different hashes prove nothing: the program that computes them may see another file under this path.
   */
  digest?(file: string, ask: DigestOptions): Promise<Hashes | undefined>;
  /** Returns the bytes or a range of them; rejects with `notFound`, `isAFolder`, or `badRange` when the range begins past the end. */
  read(file: string, ask: ReadOptions): Promise<Body>;
  /**
   * The bytes of many small files, concatenated in the requested order, each with its declared size; exists where this is cheaper than
   * separate reads. Rejects or breaks off when one of them cannot be read; reading the files one by one then shows which.
   */
  readMany?(files: readonly SmallFile[], ask: CallOptions): Promise<Body>;
  /**
   * Stores the body under the path and returns the new entry. The parent must exist. A failed write leaves a previous file unchanged; the
   * body is consumed or destroyed in any case.
   */
  write?(file: string, body: Readable, ask: WriteOptions): Promise<Entry>;
  /**
   * Creates a folder; rejects with `alreadyExists` when the name is taken, and with `notFound` when the parent is missing. With
   * `isPrivate`, other users of the server cannot open it, where the source has such permissions.
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
  /** A thumbnail of about `size` pixels, made by the source; rejects with `unsupported` where it has none for this file. */
  thumbnail?(file: string, ask: CallOptions & { readonly size: number }): Promise<Body>;
  /**
   * Items in the folder and below whose names (or contents, if the source indexes them) match the query; in any order, possibly without
   * very new ones.
   */
  search?(folder: string, ask: CallOptions & { readonly query: string }): AsyncIterable<readonly Found[]>;
  /** Used and available space of the account. */
  usage?(ask: CallOptions): Promise<Usage>;
  /** Changes since the cursor; without `since` returns only a current cursor. */
  changes?(since: string | undefined, ask: CallOptions): Promise<Changes>;
  /**
   * Removes what the upload with this `leftover` note has left, and nothing else: see `Env.leftovers`. Also resolves when nothing is left.
   * Exists where interrupted uploads use space at the source until they are removed.
   */
  clearUp?(leftover: string, ask: CallOptions): Promise<void>;
  /** Closes all connections. No call may follow. */
  close(): Promise<void>;
}
