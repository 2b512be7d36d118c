import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { LateFailureProps } from '#/lib/late.tsx';
import { isUploading } from '#/lib/uploads/page-uploads.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import classes from './Screens.module.css';

/** Milliseconds between two tries to load what is missing. */
const retryEvery = 3000;
/** Milliseconds between two reloads that the page makes by itself: a script that is missing for good must not reload it without end. */
const reloadEvery = 60_000;
const reloadedAt = 'missing-script-reloaded-at';

/**
 * Says in its place that a part of the app could not be loaded, and tries again by itself: at once when the browser is online again, else every few
 * seconds. Browsers may remember a failed import, and after an update the script has another name; so when the server answers again and nothing of
 * the page would be lost, the page is loaded anew. Running uploads are never cut: then only the user can refresh.
 */
export function MissingScript({ error, place, onRetry }: LateFailureProps) {
  useEffect(() => {
    let tries = 0;
    const again = (): void => {
      onRetry();
      tries++;
      // A first try that works leaves the page as it is.
      if (place === 'screen' && tries > 1) void reloadIfPossible();
    };
    const timer = setInterval(again, retryEvery);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [onRetry, place]);
  return (
    <div className={place === 'overlay' ? classes.over : classes.whole}>
      <EmptyState
        level={place === 'screen' ? 1 : 2}
        role="alert"
        icon={<IconCloudOff size={24} stroke={1.5} />}
        title={error.message}
        actions={
          <>
            <Button variant="filled" onClick={onRetry}>
              Try again
            </Button>
            <Button onClick={() => location.reload()}>Refresh the page</Button>
          </>
        }
      >
        Sheaf keeps trying while you wait. Refreshing ends uploads that are running.
      </EmptyState>
    </div>
  );
}

/** Loads the page anew once the server answers, unless that would cut an upload or was done a moment ago. */
async function reloadIfPossible(): Promise<void> {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (isUploading() || Date.now() - last < reloadEvery || !(await serverAnswers())) return;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  location.reload();
}

const serverAnswers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(retryEvery) }).then(
    ({ ok }) => ok,
    () => false,
  );
