import { type BandwidthRule, limitNow, parseTimetable } from '@sheaf/contract';
import type { LimitOf } from '#/platform/limit-of.ts';
import type { BandwidthStore } from '../rows/bandwidth-store.ts';
import { type Bandwidth, createBandwidth } from './bandwidth.ts';

interface Deps {
  readonly store: BandwidthStore;
  /** What operators allow the account. */
  readonly limitOf: LimitOf;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

/** Milliseconds after which the timetable is read again: another instance may have changed it. */
const freshFor = 500;
/** Most accounts whose limits are remembered. */
const mostAccounts = 10_000;

interface Account {
  readonly bandwidth: Bandwidth;
  refresh(): Promise<void>;
}

/** The limits of accounts, by the hours of the week and by what operators allow, each shared by all transfers of the account in this process. */
export function createAccountBandwidth({ store, limitOf, now, onTrouble }: Deps) {
  const accounts = new Map<string, Account>();

  function accountOf(accountId: string): Account {
    const known = accounts.get(accountId);
    if (known) return known;
    let rules: readonly BandwidthRule[] = [];
    let zone = 'UTC';
    let readAt = 0;
    let limit: number | null = null;
    const refresh = async (): Promise<void> => {
      readAt = now();
      const [row, allowed] = await Promise.all([store.find(accountId), limitOf(accountId, 'bandwidth')]);
      const { timetable = '', timezone = 'UTC' } = row ?? {};
      [rules, zone] = [parseTimetable(timetable) ?? [], timezone];
      const wanted = limitNow(rules, zone, now());
      limit = wanted === null ? (allowed ?? null) : Math.min(wanted, allowed ?? wanted);
    };
    const account: Account = {
      bandwidth: createBandwidth(() => {
        if (now() - readAt >= freshFor) refresh().catch(onTrouble);
        return limit;
      }),
      refresh,
    };
    if (accounts.size >= mostAccounts) accounts.clear();
    accounts.set(accountId, account);
    return account;
  }

  return {
    /** The limit that all transfers of the account share. */
    async of(accountId: string): Promise<Bandwidth> {
      const account = accountOf(accountId);
      await account.refresh();
      return account.bandwidth;
    },
  };
}
export type AccountBandwidth = ReturnType<typeof createAccountBandwidth>;
