import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionLost, Failure, messageOf } from '#/failure.ts';
import { type Pauses, changesOf, usualPauses } from './changes.ts';
import type { CopyResult } from './copy-tree.ts';

/** State change of a folder that is kept copied. */
export type News =
  | { readonly kind: 'copying' }
  /** Everything is copied, except files that failed individually. */
  | { readonly kind: 'rests'; readonly result: CopyResult }
  /** Nothing could be copied; the next attempt is after `again` milliseconds, or when the folder changes. */
  | { readonly kind: 'waits'; readonly message: string; readonly again: number };

/** First and longest delay between retries after a lost connection, in milliseconds. */
const [firstPause, longestPause] = [2000, 300_000];
/** Milliseconds after which a folder is scanned again without a change: after a failure, and after a success. */
const [soon, late] = [60_000, 300_000];

/**
 * Copies a folder immediately and after each change. Retries while the server does not answer. Rejects with the reason of `signal` when it aborts, and
 * with Failure when the user is no longer signed in.
 */
export async function keepCopied(
  root: string,
  pass: () => Promise<CopyResult>,
  onNews: (news: News) => void,
  signal: AbortSignal,
  pauses: Omit<Pauses, 'longest'> = usualPauses,
): Promise<void> {
  let hasFailed = false;
  for await (const _ of changesOf(root, signal, { ...pauses, longest: () => (hasFailed ? soon : late) })) {
    for (let again = firstPause; ; again = Math.min(longestPause, again * 2)) {
      onNews({ kind: 'copying' });
      try {
        const result = await pass();
        hasFailed = result.failed > 0;
        onNews({ kind: 'rests', result });
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure && error.exit === 'signedOut') throw error;
        hasFailed = true;
        onNews({ kind: 'waits', message: messageOf(error), again: error instanceof ConnectionLost ? again : soon });
        // A quick retry would repeat other errors; a change of the folder may fix them.
        if (!(error instanceof ConnectionLost)) break;
        await wait(again, undefined, { signal });
      }
    }
  }
  signal.throwIfAborted();
}
