/** Where a proxy breaks connections, one after the other. */
export interface CutPlan {
  /**
   * From now on breaks the connection that carries the byte of each distance, counted over all connections from the cut before. `onCut` runs before each cut, and
   * nothing of what is cut off passes meanwhile.
   */
  arm(distances: readonly number[], onCut?: () => Promise<void>): void;
  /** Cuts that have not happened yet. */
  remaining(): number;
  /** Counts bytes from the server; true when their connection is to be broken instead of handing them on. */
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
