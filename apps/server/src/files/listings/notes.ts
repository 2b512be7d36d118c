import type { Change, ListingStore } from './rows/store.ts';

interface Deps {
  readonly change: ListingStore['change'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Changes of a folder that wait for a transaction. */
interface Batch {
  readonly changes: Change[];
  readonly written: Promise<void>;
}

/** Most changes of one transaction: a few milliseconds. */
const most = 200;

/**
 * Writes changes by Sheaf into stored listings. Those of one folder that come while another of it is being written share the next transaction: a deletion or an
 * undo of 10,000 items would otherwise wait for the disk 10,000 times.
 */
export function createNotes({ change, now }: Deps) {
  /** By folder: the batch that still takes changes, and the last one to be written. */
  const open = new Map<number, Batch>();
  const last = new Map<number, Promise<void>>();

  function begin(folderId: number): Batch {
    const before = last.get(folderId) ?? Promise.resolve();
    const changes: Change[] = [];
    const write = async (): Promise<void> => {
      if (open.get(folderId) === batch) open.delete(folderId);
      try {
        await change(folderId, changes, now());
      } finally {
        if (last.get(folderId) === written) last.delete(folderId);
      }
    };
    // The failure of the batch before is its callers' alone.
    const written = before.then(write, write);
    const batch = { changes, written };
    open.set(folderId, batch);
    last.set(folderId, written);
    return batch;
  }

  return {
    /** Stores the change after all that came before it in that folder. */
    write(folderId: number, one: Change): Promise<void> {
      const known = open.get(folderId);
      const batch = known && known.changes.length < most ? known : begin(folderId);
      batch.changes.push(one);
      return batch.written;
    },
  };
}
