/** Plan of where a proxy breaks connections, in order. */
export interface CutPlan {
  /**
   * Breaks the connection that carries the byte at each distance, counted over all connections since the previous cut. `onCut` runs before each cut;
   * nothing of the cut data passes meanwhile.
   */
  arm(distances: readonly number[], onCut?: () => Promise<void>): void;
  /** Number of pending cuts. */
  remaining(): number;
  /** Counts bytes from the server; true when the connection must be broken instead of forwarding them. */
  passes(bytes: number): Promise<boolean> | false;
}

export function createCutPlan(): CutPlan {
  let distances: number[] = [];
  let onCut: () => Promise<void> = async () => undefined;
  let came = 0;
  return {
    arm(next, run = async () => undefined) {
      distances = [...next];
      onCut = run;
      came = 0;
    },
    remaining: () => distances.length,
    passes(bytes) {
      const [distance] = distances;
      if (distance === undefined) return false;
      came += bytes;
      if (came < distance) return false;
      distances.shift();
      came = 0;
      return onCut().then(() => true);
    },
  };
}
