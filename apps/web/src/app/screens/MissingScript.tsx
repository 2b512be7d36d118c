import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import type { LateFailureProps } from '#/lib/late.tsx';
import { isUploading } from '#/lib/uploads/is-uploading.ts';
import { Button } from '#/ui/button/Button.tsx';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import classes from './Screens.module.css';

/** Milliseconds between two tries to load the missing script. */
const retryEvery = 3000;
/** Milliseconds between two automatic reloads: a permanently missing script must not reload the page endlessly. */
const reloadEvery = 60_000;
const reloadedAt = 'missing-script-reloaded-at';

/**
 * Says in place that a part of the app could not be loaded, and retries: at once when the browser is online again, else every few seconds. Browsers
 * may cache a failed import, and after an update the script has another name; so when the server answers again and nothing of the page would be lost,
 * reloads the page. Never interrupts running uploads: then only the user can reload.
 */
export function MissingScript({ error, place, onRetry }: LateFailureProps) {
  useEffect(() => {
    let tries = 0;
    const again = (): void => {
      onRetry();
      tries++;
      // If the first try succeeds, the page needs no reload.
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
        title={errorText(error)}
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

/** Reloads the page once the server answers, unless that would interrupt an upload or happened a moment ago. */
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
