import { createHash } from 'node:crypto';
import { foldName } from '@sheaf/contract';

/** Claims visible to all instances. Names may be long, so they are stored as `hash`. */
export interface SharedClaims {
  /** Returns false when another upload holds a claim younger than `seconds`. */
  take(hash: string, id: string, now: number, seconds: number): Promise<boolean>;
  release(hash: string, id: string): Promise<void>;
}

interface Deps {
  /** Absent with a single process. */
  readonly shared?: SharedClaims;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Runs a background task and logs its failure. */
  readonly later: (name: string, task: () => Promise<void>) => void;
}

/** A path that an upload will take. Released after success or failure. */
export interface Claim {
  release(): void;
}

export type NameClaims = ReturnType<typeof createNameClaims>;

/** Seconds after which a claim expires: its instance has ended without releasing it. Longer than uploads usually take. */
const claimedFor = 86_400;

/** Paths claimed by running uploads, so that two uploads which may choose their names choose different ones. */
export function createNameClaims({ shared, newId, now, later }: Deps) {
  const held = new Set<string>();
  return {
    /** Claims the path, compared without case; undefined when another upload has it. */
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
