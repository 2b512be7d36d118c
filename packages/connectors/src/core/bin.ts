import type { CallOptions, Entry } from './connector.ts';

/** Options of `discard`. */
export interface DiscardOptions extends CallOptions {
  /** Day of the deletion as `2026-11-25`, and an unguessable text of letters and digits: together they name the item in a hidden bin. */
  readonly day: string;
  readonly key: string;
  /** Called with the item's id in the bin before anything changes; its rejection stops the deletion. Called again where the source refuses that id, and once
   * the id tells more than could be known before. */
  readonly before: (binId: string) => Promise<void>;
}

/** An item of a source's own bin. */
export interface BinItem {
  readonly id: string;
  readonly name: string;
  readonly kind: Entry['kind'];
  /** Bytes; absent for folders and when unknown. */
  readonly size?: number;
  /** Path to which it is restored, where the source reports it. */
  readonly path?: string;
  /** Epoch seconds of the deletion, where the source reports it. */
  readonly deleted?: number;
}

export interface BinPage {
  readonly items: readonly BinItem[];
  /** Where the next page begins; absent after the last one. */
  readonly cursor?: string;
}

/** Where a link's deleted items go and how they come back. A connector has all required members or none. */
export interface Bin {
  /** `source`: the source's own bin, which the source empties. `hidden`: a folder of the link, which Sheaf empties. */
  readonly bin: 'source' | 'hidden';
  /** Deletes a file, or a folder with its content, into the bin; returns its id there. Rejects with `notFound`. */
  discard(path: string, ask: DiscardOptions): Promise<string>;
  /** The item as it is in the bin; rejects with `notFound` when it has left it. */
  binned(binId: string, ask: CallOptions): Promise<Entry>;
  /**
   * Moves the item out of the bin to the path at which it was; rejects with `alreadyExists` when the path is taken, and `notFound` as `binned` does. A
   * source's own bin knows the path: without one the item goes where the source puts it.
   */
  restore(binId: string, path: string | undefined, ask: CallOptions): Promise<Entry>;
  /** Deletes the item for ever; resolves also when it has left the bin. Absent where the source does not allow it. */
  purge?(binId: string, ask: CallOptions): Promise<void>;
  /** A page of the source's own bin, the newest first where the source can sort; absent for hidden bins, whose owner knows what is in them. */
  listBin?(cursor: string | undefined, ask: CallOptions): Promise<BinPage>;
}
