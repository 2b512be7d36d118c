import { setTimeout as sleep } from 'node:timers/promises';
import { type Connector, type Entry, joinPath, parentOf } from '@sheaf/connectors';
import type { Listings } from '#/files/listings/service.ts';

type Receiving = Awaited<ReturnType<Listings['receive']>>;

/** A folder of which entries still arrive. */
interface Level {
  readonly path: string;
  readonly folder: Receiving;
  /** Names of the folders in it that have arrived. */
  readonly seen: Set<string>;
  /** Entries of the current page. */
  waiting: Entry[];
}

/** The source does not list each folder together, or has too many folders in one to tell. */
export class Unordered extends Error {
  override readonly name = 'Unordered';
  constructor() {
    super('the listing of the tree is not in order');
  }
}

/** Most folders in one folder whose names are remembered while their folder arrives. */
const mostSeen = 100_000;

interface Options {
  readonly listings: Pick<Listings, 'receive'>;
  readonly linkId: string;
  readonly connector: Required<Pick<Connector, 'listTree'>>;
  readonly path: string;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** Milliseconds between two pages. */
  readonly pause: number;
  /** Asked between two pages: false ends the listing early. */
  readonly mayGoOn: () => Promise<boolean>;
}

/**
 * Lists everything below a folder at once. Each folder is stored as soon as all of it has arrived, so what was read stays when the listing is cut off;
 * only the folders that still arrive, one within the other, are held. Returns whether all of it was read. Rejects with {@link Unordered}, and with the
 * source's error.
 */
export async function readTree({ listings, linkId, connector, path: root, signal, begunAt, pause, mayGoOn }: Options): Promise<boolean> {
  const open = async (path: string): Promise<Level> => ({
    path,
    folder: await listings.receive(linkId, path, begunAt),
    seen: new Set(),
    waiting: [],
  });
  const levels: Level[] = [];
  const handOver = async (level: Level): Promise<void> => {
    if (level.waiting.length > 0) await level.folder.put(level.waiting);
    level.waiting = [];
  };
  const leave = async (): Promise<void> => {
    const level = levels.at(-1);
    if (!level) return;
    await handOver(level);
    await level.folder.finish();
    levels.pop();
  };

  try {
    levels.push(await open(root));
    for await (const page of connector.listTree(root, { signal })) {
      for (const { path, entry } of page) {
        const parent = parentOf(path);
        while (levels.length > 1 && levels.at(-1)?.path !== parent) await leave();
        const level = levels.at(-1);
        // What leads out of the folder, or back into one that was left.
        if (level?.path !== parent || joinPath(parent, entry.name) !== path || level.seen.has(entry.name)) throw new Unordered();
        level.waiting.push(entry);
        if (entry.kind === 'file') continue;
        if (level.seen.size >= mostSeen) throw new Unordered();
        level.seen.add(entry.name);
        levels.push(await open(path));
      }
      for (const level of levels) await handOver(level);
      await sleep(pause, undefined, { signal });
      if (!(await mayGoOn())) return false;
    }
    while (levels.length > 0) await leave();
    return true;
  } finally {
    for (const { folder } of levels) folder.drop();
  }
}
