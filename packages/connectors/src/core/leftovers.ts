/**
 * Records uploads and moves that have begun at the source, so that their remains are removed, or a move is finished, even if the program
 * ends or the source becomes unreachable.
 */
export interface Leftovers {
  /**
   * `leftover` tells the connector's own `clearUp` what to remove or finish; it must not contain secrets. `transfer` is set if `clearUp`
   * finishes a move or copy: users see it, and its lease is short, because two processes may safely finish the same one.
   */
  note(leftover: string, transfer?: NotedTransfer): LeftoverNote;
}

/** A move or copy of many steps within one link. Paths are those of the link. */
export interface NotedTransfer {
  readonly kind: 'move' | 'copy';
  readonly from: string;
  readonly to: string;
}

export interface LeftoverNote {
  /** Resolves when the note is stored durably; no byte is sent before that. Never rejects. */
  readonly kept: Promise<void>;
  /**
   * Renews the note's lease. Returns false when another process holds it and may be working on it; otherwise no other process will within
   * the next minutes. Rejects when this is unknown.
   */
  hold(): Promise<boolean>;
  /**
   * Nothing needs cleanup at the source any more: the upload is complete, its remains were removed, or another owner keeps its session and
   * continues it. `now` deletes the note without delay.
   */
  gone(when?: 'now'): void;
  /** Something may be left that could not be removed now. */
  stays(): void;
}

const unkept: LeftoverNote = { kept: Promise.resolve(), hold: async () => true, gone: () => undefined, stays: () => undefined };

/** Records nothing; for environments without notes. */
export const noLeftovers: Leftovers = { note: () => unkept };
