/**
 * Notes down what uploads have begun at the source and not ended, so that it is cleared up even when the program ends in the middle of one, or the
 * source is out of reach just then.
 */
export interface Leftovers {
  /** `leftover` says to the connector's own `clearUp` what is to be removed; not for secrets. */
  note(leftover: string): LeftoverNote;
}

export interface LeftoverNote {
  /** Resolves when the note will outlast the program; no byte is sent before. Never rejects. */
  readonly kept: Promise<void>;
  /** Nothing is left at the source: the upload is whole, or what there was of it is removed. */
  gone(): void;
  /** Something may be left, and could not be removed now. */
  stays(): void;
}

const unkept: LeftoverNote = { kept: Promise.resolve(), gone: () => undefined, stays: () => undefined };

/** For surroundings that keep no notes. */
export const noLeftovers: Leftovers = { note: () => unkept };
