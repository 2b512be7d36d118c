import { IconArrowsDownUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useSession } from '#/lib/session/session.ts';
import { useTransfers } from '#/lib/transfers/page-transfers.ts';
import { findInterrupted, useInterrupted } from '#/lib/uploads/kept/interrupted.ts';
import { useUploads } from '#/lib/uploads/page-uploads.ts';
import { openPercent } from '#/lib/uploads/uploads.ts';
import { totalsOf } from './totals.ts';
import classes from './TransfersButton.module.css';

const around = 2 * Math.PI * 12.7;

/** Progress ring in the top bar; opens and closes the drawer. */
export function TransfersButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const uploads = useUploads();
  const { open, share } = totalsOf(uploads, useTransfers());
  const interrupted = useInterrupted().length;
  const account = useSession()?.loginAccount;
  useEffect(() => {
    // A browser without a database has nothing to continue.
    if (account !== undefined) findInterrupted(account).catch(() => undefined);
  }, [account]);
  const idle = interrupted === 0 ? 'Transfers' : `Transfers, ${interrupted} interrupted`;
  const label = open === 0 ? idle : `Transfers, ${open} running, ${openPercent(share)} %`;
  return (
    <button type="button" className={classes.ring} aria-label={label} aria-expanded={isOpen} onClick={onToggle}>
      {open > 0 && (
        <svg className={classes.circle} viewBox="0 0 28 28" aria-hidden="true">
          <circle className={classes.ground} cx="14" cy="14" r="12.7" />
          <circle className={classes.done} cx="14" cy="14" r="12.7" strokeDasharray={around} strokeDashoffset={around * (1 - share)} />
        </svg>
      )}
      <IconArrowsDownUp size={16} stroke={1.75} aria-hidden="true" />
      {interrupted > 0 && <span className={classes.mark} aria-hidden="true" />}
    </button>
  );
}
