import { joinPath } from '@sheaf/connectors';
import { type Arrival, linkUriOf } from '@sheaf/contract';
import { pathBelow } from '#/files/listings/rows/readable.ts';
import type { Clock } from '#/platform/clock.ts';
import { newEventId } from '#/platform/db/audit.ts';
import type { Reachable } from './reachable.ts';
import type { ArrivalRow, OverviewStore } from './store.ts';

/** Items that a listing has and the one before it had not. */
export interface Arrived {
  readonly count: number;
  /** One of them. */
  readonly name: string;
  readonly isFolder: boolean;
}

interface Deps {
  readonly store: OverviewStore;
  readonly reachable: (userId: string) => Promise<readonly Reachable[]>;
  readonly now: Clock;
}

/** Arrivals that are kept of a link, and seconds for which they are shown. */
const mostOfLink = 20;
const shownFor = 7 * 86_400;

/** Items that appeared in folders without Sheaf. They are found by comparing listings, without extra calls to the source. */
export function createArrivals({ store, reachable, now }: Deps) {
  return {
    /** Notes new items of a folder that was known before. */
    note: (linkId: string, path: string, { count, name, isFolder }: Arrived): Promise<void> =>
      store.addArrival({ linkId, id: newEventId(), path, name, isFolder: isFolder ? 1 : 0, count, at: now() }, mostOfLink),

    /** The last arrivals in what the user may read now. */
    async list(userId: string, limit: number): Promise<Arrival[]> {
      const links = await reachable(userId);
      const ids = new Set(links.flatMap(({ folders }) => folders.map(({ linkId }) => linkId)));
      const rows = Map.groupBy(await store.arrivals([...ids], now() - shownFor), ({ linkId }) => linkId);
      const found = new Map<string, Arrival>();
      for (const link of links) {
        for (const { linkId, path } of link.folders) {
          for (const row of rows.get(linkId) ?? []) {
            if (!isAtOrBelow(path, row.path)) continue;
            const arrival = arrivalOf(row, link, pathBelow(path, row.path));
            // An owner sees the storage of a Space by both ways, a member may have looked by the Space's own.
            const key = `${linkId}${row.path} ${row.name}`;
            const known = found.get(key);
            if (!known || known.at < arrival.at) found.set(key, arrival);
          }
        }
      }
      return [...found.values()].toSorted((one, other) => other.at - one.at).slice(0, limit);
    },
  };
}
export type Arrivals = ReturnType<typeof createArrivals>;

const isAtOrBelow = (folder: string, path: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);

function arrivalOf({ name, isFolder, count, at }: ArrivalRow, { userLinkId, name: linkName, memberOid }: Reachable, path: string): Arrival {
  const isOne = Number(count) === 1;
  return {
    linkUri: linkUriOf(userLinkId, isOne ? joinPath(path, name) : path),
    isFolder: !isOne || isFolder === 1,
    name,
    count: Number(count),
    folder: [linkName, ...path.split('/').filter((part) => part !== '')],
    ...(memberOid !== undefined && { memberOid }),
    at: Number(at),
  };
}
