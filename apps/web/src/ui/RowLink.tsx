import type { ComponentProps, ReactNode } from 'react';
import { PathLink } from './PathLink.tsx';
import classes from './RowLink.module.css';

/** The link of a row, which is positioned: all of the row leads there. What else can be pressed in the row stands in {@link OverRow}. */
export function RowLink({ className = '', ...link }: ComponentProps<typeof PathLink>) {
  return <PathLink {...link} className={`${classes.link} ${className}`} />;
}

/** Lies above the link of the row. */
export function OverRow({ className = '', role, children }: { className?: string | undefined; role?: 'cell'; children: ReactNode }) {
  return (
    <span role={role} className={`${classes.over} ${className}`}>
      {children}
    </span>
  );
}
