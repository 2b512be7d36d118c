import type { DiscardOptions } from './bin.ts';
import type { CallOptions, Entry } from './connector.ts';

/** How the file that a write replaces is put into a hidden bin. */
export interface KeepOptions extends Pick<DiscardOptions, 'day' | 'key'> {
  /** Called with the file and its id in the bin before it goes there; its rejection ends the write, and nothing has changed. */
  readonly before: (binId: string, old: Entry) => Promise<void>;
  /** Called when the file is not in the bin after all: the source refused it, so that it is replaced without, or it was put back. */
  readonly dropped: () => Promise<void>;
}

/**
 * Moves the file that is about to be replaced to another path; resolves when it is there, or when it is to be replaced where it is. `moveTo` sends the
 * request by the connection that the write has.
 */
export type SetAside = (moveTo: (path: string) => Promise<void>) => Promise<void>;

/** An earlier content of a file that the source keeps. */
export interface KeptVersion {
  readonly id: string;
  /** Bytes; absent when the source does not report them. */
  readonly size?: number;
  /** Epoch seconds of that content; absent when the source does not report it. */
  readonly modified?: number;
}

/** Most versions that `listVersions` tells. */
export const mostVersions = 100;

/** Versions that a source keeps of replaced files. A connector has the two required methods or neither. */
export interface Versions {
  /** The id by which the file's present content comes back after it was replaced; undefined where the source keeps none of it. Rejects with `notFound`. */
  versionOf(path: string, ask: CallOptions): Promise<string | undefined>;
  /** Makes an earlier content of the file the present one again; that which it replaces stays as a version. Rejects with `notFound` when the version is gone. */
  restoreVersion(path: string, versionId: string, ask: CallOptions): Promise<Entry>;
  /** Earlier contents of the file, the newest first and without the present one, at most {@link mostVersions}. Rejects with `notFound`. */
  listVersions?(path: string, ask: CallOptions): Promise<readonly KeptVersion[]>;
}
