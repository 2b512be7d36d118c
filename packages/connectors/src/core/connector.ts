import type { Readable } from 'node:stream';

/** What every call carries: a way to give up. Calls reject with a ConnectorError of kind `aborted` when the signal fires. */
export interface Ask {
  readonly signal: AbortSignal;
}

/** A file or a folder as the source has it. */
export interface Entry {
  /** One path segment, as shown: never empty, `.` or `..`, and without `/`. Never normalised: composed and decomposed accents differ. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Bytes; absent for folders and when the source does not tell. */
  readonly size?: number;
  /** Epoch seconds; absent when the source does not tell. */
  readonly modified?: number;
  /** Changes whenever the content does; opaque. */
  readonly etag?: string;
  readonly mimeType?: string;
  /** The source keeps a link to the item under this name, which may lie anywhere; told by `list` and `lstat` of sources that have links. */
  readonly isLink?: true;
}

/** Part of a file, in bytes: `start` included, `end` excluded; without `end`, to the end of the file. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A file's bytes on their way from the source. Exactly one of `drain` and `cancel` is called, once. */
export interface Body {
  /** Bytes that will come; absent when the source does not tell. */
  readonly size?: number;
  /** The file as the source described it when it began to send. */
  readonly entry: Partial<Omit<Entry, 'name' | 'kind'>>;
  /**
   * Hands every chunk to `take`, in order. A chunk's memory is lent: it may be reused once `take` has returned, or the promise that
   * it gave has settled, and the source stops sending while too much is lent. Resolves after the last chunk was taken; rejects with `interrupted` when the source stops early.
   */
  drain(take: (chunk: Uint8Array) => Promise<void> | undefined): Promise<void>;
  /** Stops the source. Safe to call at any time, more than once. */
  cancel(): void;
}

/** What `read` may be told besides the part that is wanted. */
export interface ReadAsk extends Ask {
  readonly range?: ByteRange;
  /** What the caller has heard of the file before, such as its row of a listing: a body of another size is believed only when the source says the same again. */
  readonly known?: Pick<Entry, 'size'>;
}

/** A file of at most {@link smallFileSize} bytes. */
export interface SmallFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** What `readMany` takes at once: files, and bytes of each. */
export const mostSmallFiles = 256;
export const smallFileSize = 1024 * 1024;

/** What `write` needs to know besides the bytes. */
export interface WriteAsk extends Ask {
  /** Bytes that will come, when known. A body of another length rejects with `sizeDiffers` and changes nothing. */
  readonly size?: number;
  /** `fail` rejects with `alreadyExists` when the path is taken, as surely as the source can tell. */
  readonly ifExists: 'replace' | 'fail';
  /**
   * Only with `fail`: gives another name in the same folder when the path is taken, undefined when there is none. A connector that can still put the bytes
   * there asks for it instead of rejecting; the entry tells the name. Asks nothing of the source, so that it waits for no connection.
   */
  readonly otherName?: () => Promise<string | undefined>;
  /** Epoch seconds to be kept as the file's own, where the source can. */
  readonly modified?: number;
  readonly mimeType?: string;
}

/** An item that a search found: where it lies, and what it is. */
export interface Found {
  readonly path: string;
  readonly entry: Entry;
}

/** Bytes stored and allowed; without `total` there is no bound, or the source does not tell it. */
export interface Usage {
  readonly used: number;
  readonly total?: number;
}

/** One item that is new or different; without `entry` it is gone. */
export interface Change {
  readonly path: string;
  readonly entry?: Entry;
}

export interface Changes {
  /** Where the next question goes on; opaque, may be kept for days. */
  readonly cursor: string;
  readonly items: readonly Change[];
  /** More than `items` may have changed: the cursor was too old, or an item's place is not known any more. */
  readonly incomplete: boolean;
}

/**
 * One linked account, opened. `list`, `stat` and `read` are always there; every other method is present exactly when the source can do it,
 * so `connector.rename` is both the call and the capability. Paths start with `/`, never end with it (except the root, `/`) and hold no `.` or
 * `..`; they are relative to the link's start folder and cannot leave it. A layer refuses all other paths, and removes entries with such names from what a source lists. Methods reject with {@link ConnectorError} only.
 */
export interface Connector {
  /**
   * The folder's entries, in batches as they arrive and in any order, each entry once. A missing folder rejects with `notFound`,
   * a file with `notAFolder`, an empty folder gives no entries.
   */
  list(folder: string, ask: Ask): AsyncIterable<readonly Entry[]>;
  /** The entry; rejects with `notFound`. The root is a folder named ''. */
  stat(path: string, ask: Ask): Promise<Entry>;
  /** As `stat`, but tells of a link that it is one; there where the source has links and tells of them. */
  lstat?(path: string, ask: Ask): Promise<Entry>;
  /** The bytes, or a part of them; rejects with `notFound`, `isAFolder`, or `badRange` when the range begins past the end. */
  read(file: string, ask: ReadAsk): Promise<Body>;
  /**
   * The bytes of many small files, one file after the other as they are asked for, each as long as told; there where the source gives them for less than each
   * by itself. Rejects or breaks off when one of them cannot be read so: what is wrong with it, reading it alone tells.
   */
  readMany?(files: readonly SmallFile[], ask: Ask): Promise<Body>;
  /**
   * Stores the body under the path and answers the new entry. Parents must exist. A write that fails for whatever reason leaves a file that stood there
   * as it was; the body is consumed or destroyed either way.
   */
  write?(file: string, body: Readable, ask: WriteAsk): Promise<Entry>;
  /** Makes one folder; rejects with `alreadyExists` when anything has that name, `notFound` without the parent. */
  createFolder?(path: string, ask: Ask): Promise<Entry>;
  /** Gives the item another name in its folder; rejects with `alreadyExists` when the name is taken (never replaces). */
  rename?(path: string, newName: string, ask: Ask): Promise<Entry>;
  /** Moves the item to another path of the same link; never replaces. */
  move?(from: string, to: string, ask: Ask): Promise<Entry>;
  /** Copies on the source's side; never replaces. */
  copy?(from: string, to: string, ask: Ask): Promise<Entry>;
  /** Deletes a file, or a folder with all it holds, into the source's bin where it has one; rejects with `notFound`. */
  remove?(path: string, ask: Ask): Promise<void>;
  /** A small picture of the file, its longer side about `size` pixels, made by the source; rejects with `unsupported` where it has none. */
  thumbnail?(file: string, ask: Ask & { readonly size: number }): Promise<Body>;
  /** Items in the folder and below whose names, or contents where the source looks there, match the query; in any order, some perhaps missing that are very new. */
  search?(folder: string, ask: Ask & { readonly query: string }): AsyncIterable<readonly Found[]>;
  /** What the account holds and may hold. */
  usage?(ask: Ask): Promise<Usage>;
  /** What has changed since the cursor was given; without `since` only a cursor of now. */
  changes?(since: string | undefined, ask: Ask): Promise<Changes>;
  /**
   * Removes what an upload has left that was noted as this `leftover`, and nothing else: see `Env.leftovers`. Resolves also when nothing of it is there
   * any more. There where a broken upload costs space at the source until somebody removes it.
   */
  clearUp?(leftover: string, ask: Ask): Promise<void>;
  /** Lets connections go. No call may follow. */
  close(): Promise<void>;
}
