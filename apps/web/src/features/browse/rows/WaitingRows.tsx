import { useEffect, useState } from 'react';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { useRowHeight } from './use-row-height.ts';
import classes from '../browse.module.css';

/** Milliseconds within which most folders arrive: to draw placeholders for them would only delay their rows. */
const patience = 80;

/** Placeholders for rows that are loading. */
export function WaitingRows() {
  const height = useRowHeight();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return <div className={classes.waiting}>{isLate && <SkeletonRows count={8} height={height} tile={22} />}</div>;
}
