import { useEffect, useState } from 'react';
import { pageHistory } from './history.ts';

/** A question whether to leave the page, open until it is answered. */
interface Question {
  readonly leave: () => void;
  readonly stay: () => void;
}

/**
 * Guards against leaving the page while `isSafe` says that something would be lost: within the app the user has to answer the returned question first, and
 * before the page is closed or reloaded, the browser asks.
 */
export function useLeaveGuard(isSafe: () => boolean): Question | undefined {
  const [question, ask] = useState<Question>();
  useEffect(
    () =>
      pageHistory().block({
        enableBeforeUnload: () => !isSafe(),
        async blockerFn() {
          if (isSafe()) return false;
          const { promise, resolve } = Promise.withResolvers<boolean>();
          ask({ leave: () => resolve(false), stay: () => resolve(true) });
          const isHeld = await promise;
          ask(undefined);
          return isHeld;
        },
      }),
    [isSafe],
  );
  return question;
}
