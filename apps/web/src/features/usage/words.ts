import type { FolderUsage } from '@sheaf/contract';
import { formatAgo } from '#/lib/format.ts';

export const fileCount = (files: number): string => (files === 1 ? '1 file' : `${files.toLocaleString()} files`);

/** How much of the shown room is known: folders that nobody has opened do not count. */
export function knownText({ foldersKnown, foldersTotal, oldestLook, unsized }: FolderUsage, now = Date.now()): string {
  const folders =
    foldersKnown >= foldersTotal
      ? `All ${foldersKnown.toLocaleString()} folders are known.`
      : `${foldersKnown.toLocaleString()} of about ${foldersTotal.toLocaleString()} folders are known; open the others to count them.`;
  const age = oldestLook === undefined ? '' : ` Oldest look ${formatAgo(oldestLook, now)}.`;
  const sizes = unsized === 0 ? '' : ` ${fileCount(unsized)} of unknown size ${unsized === 1 ? 'is' : 'are'} not counted.`;
  return (foldersKnown === 1 && foldersTotal <= 1 ? 'The folder is known.' : folders) + age + sizes;
}
