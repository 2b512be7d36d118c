import type { ReactNode } from 'react';
import classes from './PageHead.module.css';

/** A page of normal width with centred content. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>;
}

/** A page's title, a line below it, and its actions at the right. */
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
