import { formatSize } from '#/progress.ts';
import type { JobView } from './job-status.ts';

/** Formats a time in the user's locale. */
const momentOf = (time: number): string => new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Words the state of a folder as a sentence, for the page and the terminal. */
export function sentenceOf({ state, files, filesDone, bytes, bytesDone, copiedAt, problem, again, failed }: JobView): string {
  const last = copiedAt === 0 ? 'It has not been copied whole yet.' : `Last copied ${momentOf(copiedAt)}.`;
  switch (state) {
    case 'copying':
      return files === 0
        ? 'Looking for changes.'
        : `Copying: ${filesDone} of ${files} files, ${formatSize(Math.min(bytes, bytesDone))} of ${formatSize(bytes)}.`;
    case 'resting':
      return failed === 0 ? `Up to date. ${last}` : `${failed} ${failed === 1 ? 'item' : 'items'} could not be copied. ${last}`;
    case 'waiting':
      return `Waiting: ${problem}${again === 0 ? '' : ` It tries again at ${momentOf(again)}.`} ${last}`;
    case 'paused':
      return `Paused. ${last}`;
    case 'stopped':
      return `${problem === '' ? '' : `${problem} `}Nothing watches it now. ${last}`;
  }
}
