import type { ReactNode } from 'react';
import classes from './PageHead.module.css';

/** A page of ordinary width, its content centred. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>;
}

/** A page's title, a line under it, and its actions at the right. */
export function PageHead({ title, line, children }: { title: string; line?: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <h1>{title}</h1>
        {line !== undefined && <p>{line}</p>}
      </div>
      {children}
    </div>
  );
}
