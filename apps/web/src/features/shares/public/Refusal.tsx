import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { late } from '#/lib/late.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PublicShell } from './PublicShell.tsx';
import classes from './public.module.css';

const PasswordForm = late(() => import('./PasswordForm.tsx').then((loaded) => loaded.PasswordForm));
export const Unavailable = late(() => import('./Unavailable.tsx').then((loaded) => loaded.Unavailable));

type Props = {
  weblinkId: string;
  error: unknown;
  onRetry: () => void;
  /** Called once the share was opened with its password. */
  onOpened?: () => void;
};

/** Why a share is not shown: it needs its password, does not exist, or is out of reach. */
export function Refusal({ weblinkId, error, onRetry, onOpened }: Props) {
  if (error instanceof CallError && error.is('WEBLINK_PASSWORD_NEEDED')) return <PasswordForm weblinkId={weblinkId} onOpened={onOpened} />;
  if (error instanceof CallError && error.is('WEBLINK_GONE')) return <Unavailable />;
  if (error instanceof CallError && error.is('WEBLINK_USED_UP')) return <Unavailable reason="WEBLINK_USED_UP" />;
  return (
    <PublicShell>
      <div className={classes.middle}>
        <ErrorState title="This cannot be shown" message={errorText(error)} onRetry={onRetry} />
      </div>
    </PublicShell>
  );
}
