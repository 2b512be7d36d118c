import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { useRowHeight } from './use-row-height.ts';
import classes from '../browse.module.css';

/** Placeholders for rows that are loading. */
export function WaitingRows() {
  return (
    <div className={classes.waiting}>
      <SkeletonRows count={8} height={useRowHeight()} tile={22} />
    </div>
  );
}
