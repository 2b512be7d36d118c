import type { ReactNode } from 'react';
import classes from './Section.module.css';

/** A section of a page: its subject at the left and its content at the right, or below on narrow screens. */
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
