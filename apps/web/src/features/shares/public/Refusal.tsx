import { VisuallyHidden } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText, rowText } from '#/lib/http/error-text.ts';
import { late } from '#/lib/late.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PublicShell } from './PublicShell.tsx';
import classes from './public.module.css';

const PasswordForm = late(() => import('./PasswordForm.tsx').then((loaded) => loaded.PasswordForm));

/** Why a share is not shown: it needs its password, does not exist, or is out of reach. */
export function Refusal({ weblinkId, error, onRetry }: { weblinkId: string; error: unknown; onRetry: () => void }) {
  if (error instanceof CallError && error.is('WEBLINK_PASSWORD_NEEDED')) return <PasswordForm weblinkId={weblinkId} />;
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

/** Shown for shares that have expired, were removed, or never existed, without telling which, and for those that gave all their downloads. */
export function Unavailable({ reason = 'WEBLINK_GONE' }: { reason?: 'WEBLINK_GONE' | 'WEBLINK_USED_UP' }) {
  const [first = '', ...rest] = rowText(reason, {}).split(/(?<=\.) /);
  return (
    <PublicShell>
      <VisuallyHidden component="h1">Shared link</VisuallyHidden>
      <div className={classes.middle}>
        <EmptyState icon={<IconLinkOff size={24} stroke={1.5} />} title={first}>
          {rest.join(' ')}
        </EmptyState>
      </div>
    </PublicShell>
  );
}
