import type { CallOptions, Entry } from './connector.ts';

/** Options of `discard`. */
export interface DiscardOptions extends CallOptions {
  /** Day of the deletion, such as `2026-11-25`, and a random string of letters and digits: together they name the item in a hidden bin. */
  readonly day: string;
  readonly key: string;
  /**
   * Called with the item's id in the bin before anything changes; the deletion stops if it rejects. Called again when the source refuses
   * that id, and when the final id contains facts that were unknown before.
   */
  readonly before: (binId: string) => Promise<void>;
}

/** An item of a source's own bin. */
export interface BinItem {
  readonly id: string;
  readonly name: string;
  readonly kind: Entry['kind'];
  /** Bytes; absent for folders and when unknown. */
  readonly size?: number;
  /** Path to which the item is restored, where the source reports it. */
  readonly path?: string;
  /** Time of the deletion in epoch seconds, where the source reports it. */
  readonly deleted?: number;
}

export interface BinPage {
  readonly items: readonly BinItem[];
  /** Cursor of the next page; absent on the last one. */
  readonly cursor?: string;
}

/** Where a link's deleted items go and how they come back. A connector has all required members or none. */
export interface Bin {
  /** `source`: the source's own bin, which the source empties. `hidden`: a folder of the link, which Sheaf empties. */
  readonly bin: 'source' | 'hidden';
  /** Whether deleted items go to the bin at present: a source may be configured to keep none. Absent where they always do. */
  keeps?(ask: CallOptions): Promise<boolean>;
  /** Deletes a file, or a folder with its content, into the bin; returns its id there. Rejects with `notFound`. */
  discard(path: string, ask: DiscardOptions): Promise<string>;
  /** Returns the item in the bin; rejects with `notFound` when it is no longer there. */
  binned(binId: string, ask: CallOptions): Promise<Entry>;
  /**
   * Moves the item out of the bin to its former path; rejects with `alreadyExists` when the path is taken, and with `notFound` as `binned`
   * does. A source's own bin knows the path: without `path` the source decides where the item goes.
   */
  restore(binId: string, path: string | undefined, ask: CallOptions): Promise<Entry>;
  /** Deletes the item permanently; also resolves when it is no longer in the bin. Absent where the source does not allow it. */
  purge?(binId: string, ask: CallOptions): Promise<void>;
  /** A page of the source's own bin, newest first where the source can sort. Absent for hidden bins: Sheaf records what they contain. */
  listBin?(cursor: string | undefined, ask: CallOptions): Promise<BinPage>;
}
