import { IconLinkOff } from '@tabler/icons-react';
import { rowText } from '#/lib/http/row-text.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { PublicShell } from './PublicShell.tsx';
import unseen from '#/ui/unseen.module.css';
import classes from './public.module.css';

/** Shown for shares that have expired, were removed, or never existed, without telling which, and for those that gave all their downloads. */
export function Unavailable({ reason = 'WEBLINK_GONE' }: { reason?: 'WEBLINK_GONE' | 'WEBLINK_USED_UP' }) {
  const [first = '', ...rest] = rowText(reason, {}).split(/(?<=\.) /);
  return (
    <PublicShell>
      <h1 className={unseen.unseen}>Shared link</h1>
      <div className={classes.middle}>
        <EmptyState icon={<IconLinkOff size={24} stroke={1.5} />} title={first}>
          {rest.join(' ')}
        </EmptyState>
      </div>
    </PublicShell>
  );
}
