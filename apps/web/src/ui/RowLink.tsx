import type { ComponentProps, ReactNode } from 'react';
import { PathLink } from './PathLink.tsx';
import classes from './RowLink.module.css';

/** The link of a positioned row, which covers the whole row. Other controls of the row go into {@link OverRow}. */
export function RowLink({ className = '', ...link }: ComponentProps<typeof PathLink>) {
  return <PathLink {...link} className={`${classes.link} ${className}`} />;
}

/** Lies above the row's link. */
export function OverRow({ className = '', role, children }: { className?: string | undefined; role?: 'cell'; children: ReactNode }) {
  return (
    <span role={role} className={`${classes.over} ${className}`}>
      {children}
    </span>
  );
}
