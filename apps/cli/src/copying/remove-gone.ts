import { type Item, deleteObject } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { isMissing } from '#/places.ts';
import type { Progress } from '#/progress.ts';
import type { Journal } from './journal.ts';
import type { LocalTree } from './local-tree.ts';
import { patiently } from './patience.ts';
import { goneHere } from './plan.ts';
import { createRemoteTree } from './remote-tree.ts';

interface Removing {
  /** The folder at the server. */
  readonly target: Item;
  readonly journal: Journal;
  readonly dryRun: boolean;
  readonly progress: Progress;
  /** Hears of what could not be looked for or deleted: it is tried again in the next run. */
  readonly fail: (path: string, error: unknown) => void;
}

/** Deletes at the destination what was copied there, is gone here, and is there as it was copied; gives how many files that were. */
export async function removeGone(
  client: Client,
  { target, journal, dryRun, progress, fail }: Removing,
  tree: LocalTree,
  signal: AbortSignal,
): Promise<number> {
  // As it is now: copying may have taken hours, and some sources take names that differ in case or Unicode form for one.
  const remote = createRemoteTree(client, target.linkUri, signal);
  const here = new Map<string, string[]>();
  for (const { path } of tree.files) here.set(folded(path), [...(here.get(folded(path)) ?? []), path]);
  // Nothing is taken away for want of being able to read, nor because a link took its place.
  const unknown = [...tree.unreadable.map(({ path }) => path), ...tree.skipped];
  let removed = 0;

  /** Whether it is at the destination what a file here is that is called almost the same. */
  async function isNamedOtherwise(path: string, { linkUri }: Item): Promise<boolean> {
    for (const twin of here.get(folded(path)) ?? []) {
      const other = await remote.find(twin);
      if (!other || other.linkUri === linkUri) return true;
    }
    return false;
  }

  async function remove(path: string): Promise<void> {
    const there = await patiently(() => remote.find(path), signal);
    const isOurs = there !== undefined && (there.size === undefined || there.size === journal.copied.get(path)?.size);
    if (isOurs && (await patiently(() => isNamedOtherwise(path, there), signal))) return;
    if (dryRun) {
      if (isOurs) progress.remark(path, 'would be deleted at the destination');
      return;
    }
    if (isOurs) {
      try {
        await client.ask(deleteObject, { linkUri: there.linkUri }, signal);
        removed++;
      } catch (error) {
        // Somebody else was quicker.
        if (!isMissing(error)) throw error;
      }
    }
    await journal.forget(path);
  }

  for (const path of goneHere(journal.copied, tree.files, unknown)) {
    try {
      await remove(path);
    } catch (error) {
      fail(path, error);
    }
  }
  return removed;
}

const folded = (path: string): string => path.normalize().toLowerCase();
