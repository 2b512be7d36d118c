import { setImmediate as turn } from 'node:timers/promises';
import { type Connector, type Entry, bytesOf } from '@sheaf/connectors';
import { createBudget } from './budget.ts';

/** Most bytes of rows in memory for the work of one account, which is a million with usual names, and of all. */
const mebibyte = 1024 * 1024;
const usual = { ofAccount: 128 * mebibyte, inAll: 384 * mebibyte };
/** Milliseconds of reading, and rows sorted or merged, before others get their turn. */
const longestTurn = 5;
const atOnce = 5000;

interface Options {
  /** The account whose storage is read. */
  readonly userId: string;
  readonly connector: Pick<Connector, 'list'>;
  readonly path: string;
  /** Whether the work needs the entry. */
  readonly isWanted?: (entry: Entry) => boolean;
  readonly signal: AbortSignal;
}

/** A folder in memory; `release` gives its memory back to the budget. */
export interface WholeFolder {
  /** By name. */
  readonly entries: readonly Entry[];
  release(): void;
}

/**
 * Reads folders into memory, for work that must not keep a listing open while it calls the link again. Rejects with LISTINGS_BUSY when the account, or
 * all together, hold too much: a hostile server lists for ever.
 */
export function createWholeFolders(most = usual) {
  const [ofAccounts, ofAll] = [createBudget(most.ofAccount), createBudget(most.inAll)];
  return async ({ userId, connector, path, isWanted = () => true, signal }: Options): Promise<WholeFolder> => {
    const shares = [ofAccounts.open(userId), ofAll.open('')];
    const release = (): void => shares.forEach((share) => share.release());
    try {
      const entries: Entry[] = [];
      let turnedAt = performance.now();
      for await (const batch of connector.list(path, { signal })) {
        const wanted = batch.filter(isWanted);
        const bytes = wanted.reduce((sum, entry) => sum + bytesOf(entry), 0);
        for (const share of shares) share.take(bytes);
        for (const entry of wanted) entries.push(entry);
        if (performance.now() - turnedAt < longestTurn) continue;
        await turn();
        turnedAt = performance.now();
      }
      return { entries: await byName(entries), release };
    } catch (error) {
      release();
      throw error;
    }
  };
}

export const readWholeFolder = createWholeFolders();

const isBefore = (one: Entry, other: Entry): boolean => one.name < other.name;

/** Sorts in slices, and merges them two by two: a million names at once would stop the process for seconds. */
async function byName(entries: Entry[]): Promise<Entry[]> {
  let runs: Entry[][] = [];
  for (let from = 0; from < entries.length; from += atOnce) {
    runs.push(entries.slice(from, from + atOnce).sort((one, other) => (isBefore(one, other) ? -1 : isBefore(other, one) ? 1 : 0)));
    await turn();
  }
  while (runs.length > 1) {
    const merged: Entry[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(left: readonly Entry[], right: readonly Entry[]): Promise<Entry[]> {
  const merged: Entry[] = [];
  for (let [at, from] = [0, 0]; ;) {
    const [one, other] = [left[at], right[from]];
    const next = one && !(other && isBefore(other, one)) ? one : other;
    if (!next) return merged;
    merged.push(next);
    if (next === one) at++;
    else from++;
    if (merged.length % atOnce === 0) await turn();
  }
}
