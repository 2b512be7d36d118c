import { useSettled } from '#/lib/use-settled.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { useRowHeight } from './use-row-height.ts';
import classes from '../browse.module.css';

/** Placeholders for rows that are loading. Most folders arrive sooner: to draw placeholders for them would only delay their rows. */
export function WaitingRows() {
  const height = useRowHeight();
  const isSettled = useSettled();
  return <div className={classes.waiting}>{isSettled && <SkeletonRows count={8} height={height} tile={22} />}</div>;
}
