import type { ReactNode } from 'react';
import { Mark } from '#/ui/Mark.tsx';
import classes from './public.module.css';

/** Frame of a share: only a footer. `whole` fills the window without margins. */
export function PublicShell({ whole = false, children }: { whole?: boolean; children: ReactNode }) {
  return (
    <div className={classes.shell} data-whole={whole || undefined}>
      <div className={classes.content}>{children}</div>
      <footer className={classes.foot}>
        <Mark size={14} />
        Shared with Sheaf
      </footer>
    </div>
  );
}
