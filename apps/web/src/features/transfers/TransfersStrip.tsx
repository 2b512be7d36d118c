import { IconArrowsDownUp, IconChevronUp } from '@tabler/icons-react';
import { formatDuration } from '#/lib/format.ts';
import { useTransfers } from '#/lib/transfers/page-transfers.ts';
import { useInterrupted } from '#/lib/uploads/kept/interrupted.ts';
import { useUploads } from '#/lib/uploads/page-uploads.ts';
import { totalsOf } from './totals.ts';
import classes from './TransfersStrip.module.css';

/** One line on narrow screens while uploads or transfers are running, or uploads can be continued; opens the drawer as a sheet. */
export function TransfersStrip({ onOpen }: { onOpen: () => void }) {
  const { open, share, secondsLeft } = totalsOf(useUploads(), useTransfers());
  const interrupted = useInterrupted().length;
  if (open + interrupted === 0) return null;
  return (
    <button type="button" className={classes.strip} data-end-bar="high" onClick={onOpen}>
      <IconArrowsDownUp size={16} stroke={1.75} aria-hidden="true" />
      <span>
        {open === 0
          ? `${interrupted === 1 ? '1 upload was' : `${interrupted} uploads were`} interrupted`
          : `${open === 1 ? '1 transfer' : `${open} transfers`} running`}
        {secondsLeft !== undefined && `, ${formatDuration(secondsLeft)} left`}
      </span>
      <IconChevronUp size={16} stroke={1.75} aria-hidden="true" />
      <span className={classes.track} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </button>
  );
}
