import { type Item, deleteObject } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import type { Progress } from '#/progress.ts';
import { isMissing } from '#/remote-paths.ts';
import type { Journal } from './journal.ts';
import type { LocalTree } from './local-tree.ts';
import { goneHere } from './plan.ts';
import { createRemoteTree } from './remote-tree.ts';
import { withRetries } from './retries.ts';

interface Removing {
  /** The folder at the server. */
  readonly target: Item;
  readonly journal: Journal;
  readonly dryRun: boolean;
  readonly progress: Progress;
  /** Called for items that could not be checked or deleted: the next run retries them. */
  readonly fail: (path: string, error: unknown) => void;
}

/** Deletes files at the destination that were copied there, no longer exist here, and are unchanged there; returns their number. */
export async function removeGone(
  client: Client,
  { target, journal, dryRun, progress, fail }: Removing,
  tree: LocalTree,
  signal: AbortSignal,
): Promise<number> {
  // Checks the current state: copying may have taken hours, and some sources treat names that differ in case or normalisation as one.
  const remote = createRemoteTree(client, target.linkUri, signal);
  const here = new Map<string, string[]>();
  for (const { path } of tree.files) here.set(folded(path), [...(here.get(folded(path)) ?? []), path]);
  // An item that is unreadable, or was replaced by a symbolic link, does not count as deleted.
  const unknown = [...tree.unreadable.map(({ path }) => path), ...tree.skipped];
  let removed = 0;

  /** Whether the destination's item belongs to a local file with almost the same name. */
  async function isNamedOtherwise(path: string, { linkUri }: Item): Promise<boolean> {
    for (const twin of here.get(folded(path)) ?? []) {
      const other = await remote.find(twin);
      if (!other || other.linkUri === linkUri) return true;
    }
    return false;
  }

  async function remove(path: string): Promise<void> {
    const there = await withRetries(() => remote.find(path), signal);
    const isOurs = there !== undefined && (there.size === undefined || there.size === journal.copied.get(path)?.size);
    if (isOurs && (await withRetries(() => isNamedOtherwise(path, there), signal))) return;
    if (dryRun) {
      if (isOurs) progress.remark(path, 'would be deleted at the destination');
      return;
    }
    if (isOurs) {
      try {
        await client.ask(deleteObject, { linkUri: there.linkUri }, signal);
        removed++;
      } catch (error) {
        // Already deleted by others.
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
