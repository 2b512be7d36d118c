import type { Transfer } from '@sheaf/contract';
import { formatCount } from '#/features/transfers/figures.ts';
import classes from './transfers.module.css';

/** Says that a transfer has been undone, and how much of it stayed. */
export function Undone({ transfer: { undoLeft } }: { transfer: Transfer }) {
  if (undoLeft === undefined) return null;
  const stayed =
    undoLeft === 1
      ? '1 item stayed, because it has changed since'
      : `${formatCount(undoLeft)} items stayed, because they have changed since`;
  return (
    <p className={classes.undone} role="status">
      {undoLeft === 0 ? 'Undone: everything is as it was before.' : `Undone, but ${stayed}.`}
    </p>
  );
}
