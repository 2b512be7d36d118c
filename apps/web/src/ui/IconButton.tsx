import { Tooltip, UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './IconButton.module.css';

type Props = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  /** Accessible name and tooltip. */
  label: string;
  children: ReactNode;
  /** `small` is 28 px, otherwise 32. */
  small?: boolean;
  withTooltip?: boolean;
};

/** A square button with an icon only. */
export function IconButton({ label, children, small = false, withTooltip = true, ...button }: Props) {
  return (
    <Tooltip label={label} disabled={!withTooltip}>
      <UnstyledButton {...button} className={classes.button} data-small={small || undefined} aria-label={label}>
        {children}
      </UnstyledButton>
    </Tooltip>
  );
}
