import type { Entry } from '@sheaf/connectors';
import type { Listings } from '#/files/listings/service.ts';
import type { Target } from '#/serving/dav/targets.ts';
import type { Window } from '#/serving/programs/windows.ts';
import type { createTimes } from './times.ts';

interface Deps {
  readonly window: Window;
  readonly listings: Pick<Listings, 'byteOrder'>;
  readonly times: Pick<ReturnType<typeof createTimes>, 'shownAll'>;
  readonly signal: AbortSignal;
}

/** Gives the next entries of a folder, or none after the last. */
export type NextEntries = () => Promise<readonly Entry[]>;

/** Entries of a folder in one answer, and how old its listing may be in milliseconds. */
const entriesAtOnce = 100;
const freshFor = 10_000;

/** Opens a folder, whose entries come in the order of their names' bytes. Rejects when it is not there. */
export async function openFolderReader(target: Target, { window, listings, times, signal }: Deps): Promise<NextEntries> {
  if (target.kind !== 'item') {
    const names = target.kind === 'root' ? target.places.map(({ name }) => name) : target.children;
    let rest: readonly Entry[] = names.map((name) => ({ name, kind: 'folder' }));
    return async () => {
      const next = rest.slice(0, entriesAtOnce);
      rest = rest.slice(entriesAtOnce);
      return next;
    };
  }
  const { userId, userLinkId, connector, path: folder } = target.item;
  // Stored rows may belong to a folder that a symbolic link leads to.
  if (window.isLimited) await connector.stat(folder, { signal });
  const place = { userId, linkId: userLinkId, connector, path: folder };
  let from = '';
  const read = async (age: number): Promise<readonly Entry[]> => {
    const entries = await listings.byteOrder(place, { from, isAfter: from !== '', limit: entriesAtOnce, freshFor: age }, signal);
    const last = entries.at(-1);
    if (last) from = last.kind === 'folder' ? `${last.name}/` : last.name;
    return times.shownAll(target.item, folder, entries);
  };
  // Read before the client asks for entries, so that opening a missing folder fails.
  let first: readonly Entry[] | undefined = await read(freshFor);
  const readOn: NextEntries = async () => {
    const entries = first ?? (await read(Number.POSITIVE_INFINITY));
    first = undefined;
    return entries;
  };
  // One after another: sshfs asks again before it has an answer, and each question goes on where the one before it ended.
  let before: Promise<unknown> = Promise.resolve();
  return () => {
    const entries = before.then(readOn, readOn);
    before = entries;
    return entries;
  };
}
