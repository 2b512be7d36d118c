import { IconArrowsDownUp } from '@tabler/icons-react';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { shareOf } from '#/lib/transfers/measure.ts';
import { itemsOf } from '#/lib/transfers/words.ts';
import { openPercent } from '#/lib/uploads/uploads.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './transfers.module.css';

/** What is arriving in the folder, with a link to its transfer. */
export function Arriving({ transfers }: { transfers: readonly LiveTransfer[] }) {
  const [first] = transfers;
  if (!first) return null;
  const text =
    transfers.length === 1 ? `${itemsOf(first)} arriving, ${openPercent(shareOf(first))} %` : `${transfers.length} transfers arriving`;
  return (
    <PathLink className={classes.arriving} href={transfers.length === 1 ? `/transfers/${first.transferId}` : '/transfers'} title={text}>
      <IconArrowsDownUp size={14} stroke={2} aria-hidden="true" />
      <span>{text}</span>
    </PathLink>
  );
}
