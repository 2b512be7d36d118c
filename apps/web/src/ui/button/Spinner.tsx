import type { CSSProperties } from 'react';
import classes from './Spinner.module.css';

/** A turning circle while something is under way. `size` in px. */
export function Spinner({ size }: { size: number }) {
  return <span className={classes.circle} style={{ '--size': `${size}px` } as CSSProperties} aria-hidden="true" />;
}
