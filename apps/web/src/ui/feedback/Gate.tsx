import type { ReactNode } from 'react';
import { BrandLinks } from '#/ui/brand/BrandLinks.tsx';
import { Mark } from '#/ui/brand/Mark.tsx';
import classes from './Gate.module.css';

/** A page that is one centred card: sign-in and outcome pages. */
export function Gate({
  title,
  sentence,
  children,
  whole = true,
}: {
  title: string;
  sentence?: ReactNode;
  children?: ReactNode;
  whole?: boolean;
}) {
  return (
    <div className={classes.gate} data-whole={whole || undefined}>
      <section className={classes.card}>
        <Mark size={44} />
        <h1 className={classes.title}>{title}</h1>
        {sentence !== undefined && <p className={classes.sentence}>{sentence}</p>}
        {children}
      </section>
      {whole && <BrandLinks />}
    </div>
  );
}

/** The fields and buttons of a card, one below the other. */
export const gateForm = classes.form;
/** A muted line at the bottom of a card. */
export const gateFoot = classes.foot;
