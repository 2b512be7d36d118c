import type { ReactNode } from 'react';
import classes from './Section.module.css';

/** A part of a page: what it is about at the left, the part itself at the right; on narrow screens below. */
export function Section({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <div>
        <h2>{title}</h2>
        {text !== undefined && <p className={classes.text}>{text}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
