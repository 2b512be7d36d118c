import type { Entry } from '@sheaf/connectors';
import type { Location } from '../targets.ts';

/** Milliseconds for which an item counts as seen, and how many are remembered. */
const seenFor = 3000;
const mostSeen = 10_000;

export type RecentItems = ReturnType<typeof createRecentItems>;

/**
 * What requests have just seen or made at links. Programs make the folder of each file anew, and look at each file that they have stored: a storage
 * whose folders are prefixes of keys takes several requests to answer either. Changes made elsewhere are noticed after three seconds.
 */
export function createRecentItems(now: () => number) {
  const seen = new Map<string, { readonly kind: Entry['kind']; readonly until: number }>();
  const keyOf = ({ linkId, path }: Location): string => `${linkId} ${path}`;
  return {
    kindOf(at: Location): Entry['kind'] | undefined {
      const one = seen.get(keyOf(at));
      return one && one.until > now() ? one.kind : undefined;
    },
    note(at: Location, kind: Entry['kind']): void {
      // A map keeps the order in which items were noted: the first is the oldest.
      seen.delete(keyOf(at));
      const [oldest] = seen.keys();
      if (seen.size >= mostSeen && oldest !== undefined) seen.delete(oldest);
      seen.set(keyOf(at), { kind, until: now() + seenFor });
    },
    /** Forgets everything about a link, something of which is being deleted or moved. */
    forget(linkId: string): void {
      for (const key of seen.keys()) if (key.startsWith(`${linkId} `)) seen.delete(key);
    },
  };
}
