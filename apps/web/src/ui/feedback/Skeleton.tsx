import type { CSSProperties } from 'react';
import classes from './Skeleton.module.css';

/** A grey bar in place of text. Width as CSS, height in px. */
export function Skeleton({ width = '100%', height = 12, radius = 6 }: { width?: string; height?: number; radius?: number }) {
  return <span className={classes.bar} style={{ width, height, borderRadius: radius }} aria-hidden="true" />;
}

const widths = ['38%', '52%', '31%', '45%', '58%', '35%'];

/** Placeholder rows of a list: a tile and a line of text each. `height` is one row's, in px. */
export function SkeletonRows({ count = 6, height = 52, tile = 32 }: { count?: number; height?: number; tile?: number }) {
  return (
    <div className={classes.rows} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.row} style={{ height, '--tile': `${tile}px` } as CSSProperties}>
          <Skeleton width={`${tile}px`} height={tile} radius={tile / 4} />
          <Skeleton width={widths[index % widths.length] ?? '40%'} />
        </div>
      ))}
    </div>
  );
}
