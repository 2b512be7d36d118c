import type { DiscardOptions } from './bin.ts';
import type { Body, CallOptions, Entry, ReadOptions } from './connector.ts';

/** How the file that a write replaces is put into a hidden bin. */
export interface KeepOptions extends Pick<DiscardOptions, 'day' | 'key'> {
  /** Called with the file and its id in the bin before the file is moved; if it rejects, the write ends and nothing has changed. */
  readonly before: (binId: string, old: Entry) => Promise<void>;
  /**
   * Called when the file did not go to the bin after all: the source refused, so that the file is replaced without being kept, or the file
   * was put back.
   */
  readonly dropped: () => Promise<void>;
}

/**
 * Moves the file that is about to be replaced to another path; resolves when it is there, or when it shall be replaced in place. `moveTo`
 * sends the request over the write's own connection.
 */
export type SetAside = (moveTo: (path: string) => Promise<void>) => Promise<void>;

/** An earlier content of a file that the source keeps. */
export interface KeptVersion {
  readonly id: string;
  /** Bytes; absent when the source does not report them. */
  readonly size?: number;
  /** Modification time of that content in epoch seconds; absent when the source does not report it. */
  readonly modified?: number;
}

/** Options of `readVersion`. */
export type VersionReadOptions = Pick<ReadOptions, 'signal' | 'range'>;

/** Maximum number of versions that `listVersions` returns. */
export const mostVersions = 100;

/** Versions that a source keeps of replaced files. A connector has the two required methods or neither. */
export interface Versions {
  /**
   * Returns the id under which the file's present content can be restored after it was replaced; undefined where the source does not keep
   * it. Rejects with `notFound`.
   */
  versionOf(path: string, ask: CallOptions): Promise<string | undefined>;
  /**
   * Makes an earlier content of the file the present one again; the content that it replaces is kept as a version. Rejects with `notFound`
   * when the version no longer exists.
   */
  restoreVersion(path: string, versionId: string, ask: CallOptions): Promise<Entry>;
  /**
   * Earlier contents of the file, newest first and without the present one, at most {@link mostVersions}; undefined where the source keeps
   * none of this file. Rejects with `notFound`.
   */
  listVersions?(path: string, ask: CallOptions): Promise<readonly KeptVersion[] | undefined>;
  /**
   * Returns the bytes of an earlier content of the file, or a range of them, as `read` does. `versionId` comes from `listVersions`. Rejects
   * with `notFound` when the version no longer exists.
   */
  readVersion?(path: string, versionId: string, ask: VersionReadOptions): Promise<Body>;
}
