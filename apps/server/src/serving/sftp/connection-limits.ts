import { networkOf } from '#/platform/http/network.ts';

/** Most connections that have not signed in yet, signed-in ones, and of those the ones of one account. */
const usual = { waiting: 50, signedIn: 500, ofAccount: 32 };

interface Waiting {
  readonly network: string;
  readonly end: () => void;
}

/** A connection's place. */
export interface Admitted {
  /** Whether there is room for the account; if so, the connection counts as signed in from then on. */
  signIn(accountId: string): boolean;
  /** Call when the connection has closed. */
  leave(): void;
}

/**
 * Limits connections. Those that have not signed in have places of their own, so that they never take the places of others. When these are full, the
 * oldest connection of the network that has most of them ends: signing in takes less than a second.
 */
export function createConnectionLimits(most = usual) {
  const waiting = new Set<Waiting>();
  const signedIn = new Map<string, number>();

  function makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { network } of waiting) counts.set(network, (counts.get(network) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    // A set keeps the order in which they came.
    for (const one of waiting) {
      if (counts.get(one.network) !== largest) continue;
      waiting.delete(one);
      one.end();
      return;
    }
  }

  return {
    /** Admits a new connection from that address; `end` ends it. */
    admit(address: string, end: () => void): Admitted {
      if (waiting.size >= most.waiting) makeRoom();
      const one: Waiting = { network: networkOf(address), end };
      waiting.add(one);
      let account: string | undefined;
      return {
        signIn(accountId) {
          const own = signedIn.get(accountId) ?? 0;
          const all = signedIn.values().reduce((sum, count) => sum + count, 0);
          if (!waiting.delete(one) || own >= most.ofAccount || all >= most.signedIn) return false;
          signedIn.set(accountId, own + 1);
          account = accountId;
          return true;
        },
        leave() {
          waiting.delete(one);
          if (account === undefined) return;
          const left = (signedIn.get(account) ?? 1) - 1;
          if (left > 0) signedIn.set(account, left);
          else signedIn.delete(account);
          account = undefined;
        },
      };
    },
  };
}
