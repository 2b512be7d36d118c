import type { FolderUsage, LinkKnowledge } from '@sheaf/contract';
import { formatAgo, formatDuration } from '#/lib/format.ts';

export const fileCount = (files: number): string => (files === 1 ? '1 file' : `${files.toLocaleString()} files`);

export const folderCount = (folders: number): string => (folders === 1 ? '1 folder' : `${folders.toLocaleString()} folders`);

/** Sentences about whether Sheaf reads the rest of a link by itself, and who decides that. */
export function keptText({ isAllowed, mayChange, ...link }: LinkKnowledge, now = Date.now()): string {
  const decides = !isAllowed
    ? ' Whoever runs this installation has switched off that Sheaf looks into folders by itself.'
    : mayChange
      ? ''
      : ' Only the owner of the storage can change that.';
  return doneText(link, now) + decides;
}

function doneText(
  { state, triesAgainAt, foldersKnown, foldersTotal, oldestLook }: Omit<LinkKnowledge, 'isAllowed' | 'mayChange'>,
  now: number,
): string {
  const age = oldestLook === undefined ? '' : `, oldest look ${formatAgo(oldestLook, now)}`;
  const progress =
    foldersKnown === 0
      ? 'Not looked at yet.'
      : foldersKnown >= foldersTotal
        ? `${folderCount(foldersKnown)} known${age}.`
        : `${foldersKnown.toLocaleString()} of about ${folderCount(foldersTotal)} known${age}.`;
  switch (state) {
    case 'off':
      return `${progress} The search finds only what is in folders that somebody has opened.`;
    case 'reading':
      return `${progress} Sheaf reads the others one after the other while nobody works here.`;
    case 'paused':
      return `${progress} Sheaf goes on with the others when nobody works here.`;
    case 'known':
      return `${progress} Sheaf looks again from time to time.`;
    case 'refused':
      return `${progress} The storage did not let Sheaf look. It tries again in ${formatDuration(Math.max(0, (triesAgainAt ?? now) - now) / 1000)}.`;
    case 'attention':
      return `${progress} The link needs attention first.`;
  }
}

/** A sentence about how complete the shown sizes are: folders that were never read are not counted. */
export function knownText({ foldersKnown, foldersTotal, oldestLook, unsized }: FolderUsage, now = Date.now()): string {
  const folders =
    foldersKnown >= foldersTotal
      ? `All ${foldersKnown.toLocaleString()} folders are known.`
      : `${foldersKnown.toLocaleString()} of about ${foldersTotal.toLocaleString()} folders are known; the others are not counted.`;
  const age = oldestLook === undefined ? '' : ` Oldest look ${formatAgo(oldestLook, now)}.`;
  const sizes = unsized === 0 ? '' : ` ${fileCount(unsized)} of unknown size ${unsized === 1 ? 'is' : 'are'} not counted.`;
  return (foldersKnown === 1 && foldersTotal <= 1 ? 'The folder is known.' : folders) + age + sizes;
}
