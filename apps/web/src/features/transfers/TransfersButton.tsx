import { UnstyledButton } from '@mantine/core';
import { IconArrowsDownUp } from '@tabler/icons-react';
import { useTransfers } from '#/lib/transfers/page-transfers.ts';
import { useUploads } from '#/lib/uploads/page-uploads.ts';
import { openPercent } from '#/lib/uploads/uploads.ts';
import { totalsOf } from './totals.ts';
import classes from './TransfersButton.module.css';

const around = 2 * Math.PI * 12.7;

/** Progress ring in the top bar; opens and closes the drawer. */
export function TransfersButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const uploads = useUploads();
  const { open, share } = totalsOf(uploads, useTransfers());
  const label = open === 0 ? 'Transfers' : `Transfers, ${open} running, ${openPercent(share)} %`;
  return (
    <UnstyledButton className={classes.ring} aria-label={label} aria-expanded={isOpen} onClick={onToggle}>
      {open > 0 && (
        <svg viewBox="0 0 28 28" aria-hidden="true">
          <circle className={classes.ground} cx="14" cy="14" r="12.7" />
          <circle className={classes.done} cx="14" cy="14" r="12.7" strokeDasharray={around} strokeDashoffset={around * (1 - share)} />
        </svg>
      )}
      <IconArrowsDownUp size={16} stroke={1.75} aria-hidden="true" />
    </UnstyledButton>
  );
}
