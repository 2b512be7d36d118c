import { randomUUID } from 'node:crypto';
import { parentOf } from '@sheaf/connectors';
import type { Clock } from '#/platform/clock.ts';
import { DavError } from '../answers.ts';
import type { Location } from '../targets.ts';
import type { LockRow, LockStore } from './lock-store.ts';

/** Seconds for which a lock is granted at most, and without a wish. */
const longest = 3600;
/**
 * Most locks of one link, and of one account in it: listings and requests for whole trees read all of them. davfs2 holds one for each file that it has
 * not uploaded yet, so that a folder of thousands of files needs thousands.
 */
const mostOfLink = 10_000;
const mostOfAccount = 5000;
/** Most bytes of what a client tells of a lock's owner. */
const longestOwner = 1024;

/** What is to be locked. */
export interface LockRequest {
  readonly at: Location;
  readonly accountId: string;
  readonly isShared: boolean;
  readonly isDeep: boolean;
  readonly owner: string;
  readonly timeout: string | undefined;
}

/** What a request is about to change. */
export interface Touched {
  readonly at: Location;
  /** Whether the item appears or disappears, which changes its folder. */
  readonly isMember: boolean;
  /** Whether everything below changes too. */
  readonly isTree: boolean;
}

const isBelow = (path: string, folder: string): boolean => folder === '/' || path.startsWith(`${folder}/`);

/** The path, and the folders that hold it up to the root: only locks of these cover it. */
function pathAndAbove(path: string): string[] {
  const found = [path];
  for (let at = path; at !== '/'; found.push(at)) at = parentOf(at);
  return found;
}

/** Whether a lock covers the path. */
const covers = (lock: LockRow, path: string): boolean => lock.path === path || (lock.isDeep === 1 && isBelow(path, lock.path));

/** Finds the locks that cover a path among those of a link. davfs2 holds one for each of thousands of files, and lists their folder meanwhile. */
export function createLockFinder(locks: readonly LockRow[]): (path: string) => readonly LockRow[] {
  const byPath = Map.groupBy(locks, ({ path }) => path);
  return (path) =>
    byPath.size === 0 ? [] : pathAndAbove(path).flatMap((at) => (byPath.get(at) ?? []).filter((lock) => covers(lock, path)));
}

/** The seconds of a Timeout header (RFC 4918, section 10.7): its first wish that we know. */
export function secondsOf(timeout: string | undefined): number {
  const [, seconds] = /(?:^|[\s,])Second-(\d{1,10})/i.exec(timeout ?? '') ?? [];
  return seconds === undefined ? longest : Math.min(Math.max(Number(seconds), 1), longest);
}

export type Locks = ReturnType<typeof createLocks>;

/** Locks, shared by all instances and by everybody who reaches an item. */
export function createLocks({ store, now }: { readonly store: LockStore; readonly now: Clock }) {
  const covering = async ({ linkId, path }: Location): Promise<LockRow[]> =>
    (await store.ofPaths(linkId, pathAndAbove(path), now())).filter((lock) => covers(lock, path));

  return {
    covering,
    /** Whether the address itself is locked, which reserves its name where nothing is stored. */
    isReserved: async (at: Location): Promise<boolean> => (await covering(at)).some(({ path }) => path === at.path),
    /** Locks of items in the folder and of those above, for a listing. */
    onLink: (linkId: string): Promise<LockRow[]> => store.onLink(linkId, now()),

    /** Grants a lock; throws 423 when another one excludes it, 413 for a long owner, and 507 when there are too many. */
    async take({ at, accountId, isShared, isDeep, owner, timeout }: LockRequest): Promise<LockRow> {
      if (Buffer.byteLength(owner) > longestOwner) throw new DavError(413);
      const seconds = secondsOf(timeout);
      const row: LockRow = {
        ...at,
        token: `urn:uuid:${randomUUID()}`,
        accountId,
        isShared: isShared ? 1 : 0,
        isDeep: isDeep ? 1 : 0,
        owner,
        seconds,
        expiresAt: now() + seconds,
      };
      let isFull = false;
      const isTaken = await store.insert(row, now(), isDeep ? undefined : pathAndAbove(at.path), ({ ofLink, ofAccount }, others) => {
        isFull = ofLink >= mostOfLink || ofAccount >= mostOfAccount;
        const near = others.filter((other) => covers(other, at.path) || (isDeep && isBelow(other.path, at.path)));
        return !isFull && near.every((other) => isShared && other.isShared === 1);
      });
      if (isFull) throw new DavError(507);
      if (!isTaken) throw new DavError(423, 'no-conflicting-lock');
      return row;
    },

    /** Grants the same lock for longer. Throws 412 unless one of the tokens is the account's lock on the item. */
    async refresh(at: Location, tokens: ReadonlySet<string>, accountId: string, timeout: string | undefined): Promise<LockRow> {
      const found = (await covering(at)).find((lock) => tokens.has(lock.token) && lock.accountId === accountId);
      if (!found) throw new DavError(412, 'lock-token-matches-request-uri');
      const seconds = secondsOf(timeout);
      await store.refresh(found.token, seconds, now() + seconds);
      return { ...found, seconds, expiresAt: now() + seconds };
    },

    /** Removes a lock. Throws 409 unless it covers the item, 403 for another account's. */
    async release(at: Location, token: string, accountId: string): Promise<void> {
      const found = (await covering(at)).find((lock) => lock.token === token);
      if (!found) throw new DavError(409, 'lock-token-matches-request-uri');
      if (found.accountId !== accountId) throw new DavError(403);
      await store.remove([token]);
    },

    /** Throws 423 unless the account has submitted a token of each locked item that is about to change; of shared locks one is enough. */
    async check(touched: readonly Touched[], tokens: ReadonlySet<string>, accountId: string): Promise<void> {
      for (const { at, isMember, isTree } of touched) {
        const locks = await (isTree ? store.onLink(at.linkId, now()) : store.ofPaths(at.linkId, pathAndAbove(at.path), now()));
        if (locks.length === 0) continue;
        const folder = parentOf(at.path);
        const groups = [
          locks.filter((lock) => covers(lock, at.path)),
          ...(isMember && at.path !== '/' ? [locks.filter((lock) => covers(lock, folder))] : []),
          ...(isTree ? locks.filter((lock) => isBelow(lock.path, at.path)).map((lock) => [lock]) : []),
        ];
        for (const group of groups)
          if (group.length > 0 && !group.some((lock) => tokens.has(lock.token) && lock.accountId === accountId))
            throw new DavError(423, 'lock-token-submitted');
      }
    },

    /** Forgets the locks of an item that is gone, and of everything below. */
    async forget({ linkId, path }: Location): Promise<void> {
      const gone = (await store.onLink(linkId, now())).filter((lock) => lock.path === path || isBelow(lock.path, path));
      await store.remove(gone.map(({ token }) => token));
    },

    sweep: () => store.sweep(now()),
  };
}
