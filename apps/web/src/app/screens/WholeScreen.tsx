import type { ReactNode } from 'react';
import { ButtonPath } from '#/ui/button/Button.tsx';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import classes from './Screens.module.css';

type Props = {
  icon: ReactNode;
  title: string;
  /** The way on. */
  action: string;
  href: string;
  children: ReactNode;
};

/** A screen that only says why there is nothing to see, and leads on. */
export function WholeScreen({ icon, title, action, href, children }: Props) {
  return (
    <div className={classes.whole}>
      <EmptyState
        level={1}
        icon={icon}
        title={title}
        actions={
          <ButtonPath variant="filled" href={href}>
            {action}
          </ButtonPath>
        }
      >
        {children}
      </EmptyState>
    </div>
  );
}
