/**
 * Notes down what uploads and moves have begun at the source and not ended, so that it is cleared up, or a move finished, even when the program ends
 * in the middle of one, or the source is out of reach just then.
 */
export interface Leftovers {
  /**
   * `leftover` says to the connector's own `clearUp` what is to be removed or finished; not for secrets. `transfer` is there where `clearUp` finishes a move or copy:
   * users are told of it, and its lease is short, because it is safe when two processes finish the same one.
   */
  note(leftover: string, transfer?: NotedTransfer): LeftoverNote;
}

/** A move or copy of many steps within one link, by the link's paths. */
export interface NotedTransfer {
  readonly kind: 'move' | 'copy';
  readonly from: string;
  readonly to: string;
}

export interface LeftoverNote {
  /** Resolves when the note will outlast the program; no byte is sent before. Never rejects. */
  readonly kept: Promise<void>;
  /**
   * Renews the lease of the note. False when another process holds it by now and may be at work on what it names; otherwise none will be for the
   * next minutes. Rejects when that cannot be told.
   */
  hold(): Promise<boolean>;
  /** Nothing is left at the source: the upload is whole, or what there was of it is removed. */
  gone(): void;
  /** Something may be left, and could not be removed now. */
  stays(): void;
}

const unkept: LeftoverNote = { kept: Promise.resolve(), hold: async () => true, gone: () => undefined, stays: () => undefined };

/** For surroundings that keep no notes. */
export const noLeftovers: Leftovers = { note: () => unkept };
