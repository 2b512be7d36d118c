import type { Item } from '@sheaf/contract';
import type { Copied } from './journal.ts';
import type { LocalFile } from './local-tree.ts';

/** Tolerance: sources store times in seconds, FAT in steps of two. */
const timeStep = 2000;

/** Action for a file. */
export type Decision = 'keep' | 'note' | 'check' | 'copy';

/**
 * `keep` when nothing has changed on either side since it was copied; `note` when the journal does not know it but the destination has it with size
 * and time; `check` when only the local time differs and a hash could show equal content; otherwise `copy`.
 */
export function decide(file: LocalFile, there: Item | undefined, copied: Copied | undefined): Decision {
  if (there === undefined || there.fileType === 'FOLDER' || (there.size !== undefined && there.size !== file.size)) return 'copy';
  if (copied && copied.size === file.size) {
    if (copied.modified === file.modified) return 'keep';
    return copied.hash === undefined ? 'copy' : 'check';
  }
  const isSameTime = there.modified !== undefined && Math.abs(there.modified * 1000 - file.modified) <= timeStep;
  return !copied && there.size === file.size && isSameTime ? 'note' : 'copy';
}

/** Files that this job copied and that no longer exist here, deepest first: a sync deletes them at the destination. */
export function goneHere(copied: ReadonlyMap<string, Copied>, files: readonly LocalFile[], unknownBelow: readonly string[]): string[] {
  const here = new Set(files.map(({ path }) => path));
  const isUnknown = (path: string): boolean => unknownBelow.some((place) => path === place || path.startsWith(`${place}/`));
  return [...copied.keys()].filter((path) => !here.has(path) && !isUnknown(path)).toSorted((a, b) => (a < b ? 1 : -1));
}
