import type { ReactNode } from 'react';
import { useBrand } from '#/ui/brand/brand.ts';
import { BrandLinks } from '#/ui/brand/BrandLinks.tsx';
import { Mark } from '#/ui/brand/Mark.tsx';
import classes from './public.module.css';

/** Frame of a share: only a footer. `whole` fills the window without margins. */
export function PublicShell({ whole = false, children }: { whole?: boolean; children: ReactNode }) {
  const { name } = useBrand();
  return (
    <div className={classes.shell} data-whole={whole || undefined}>
      <div className={classes.content}>{children}</div>
      <footer className={classes.foot}>
        <Mark size={14} />
        Shared with {name}
        <BrandLinks />
      </footer>
    </div>
  );
}
