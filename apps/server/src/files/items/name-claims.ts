import { createHash } from 'node:crypto';
import { foldName } from '@sheaf/contract';

/** Claims that all instances see. Names may be long, so they are kept as `hash`. */
export interface SharedClaims {
  /** False when another upload holds a claim that is not older than `seconds`. */
  take(hash: string, id: string, now: number, seconds: number): Promise<boolean>;
  release(hash: string, id: string): Promise<void>;
}

interface Deps {
  /** Absent where one process serves everything. */
  readonly shared?: SharedClaims;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Runs what nobody waits for, and logs its failure. */
  readonly later: (name: string, task: () => Promise<void>) => void;
}

/** A path that an upload will take. Released when the file is there, or will not be. */
export interface Claim {
  release(): void;
}

export type NameClaims = ReturnType<typeof createNameClaims>;

/** Seconds after which a claim counts no more: its instance has ended without releasing it. Longer than uploads usually last. */
const claimedFor = 86_400;

/** Paths that uploads under way will take, so that of two uploads at once that may choose their name each chooses another. */
export function createNameClaims({ shared, newId, now, later }: Deps) {
  const held = new Set<string>();
  return {
    /** Claims the place, compared without regard to case; undefined when another upload has. */
    async take(place: string): Promise<Claim | undefined> {
      const key = foldName(place);
      if (held.has(key)) return undefined;
      held.add(key);
      const release = (): void => void held.delete(key);
      if (!shared) return { release };
      const [hash, id] = [createHash('sha256').update(key).digest('base64url'), newId()];
      let isTaken = false;
      try {
        isTaken = await shared.take(hash, id, now(), claimedFor);
      } finally {
        if (!isTaken) release();
      }
      if (!isTaken) return undefined;
      return {
        release() {
          release();
          later('release a name', () => shared.release(hash, id));
        },
      };
    },
  };
}
