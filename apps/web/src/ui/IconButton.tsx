import { Tooltip, UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './IconButton.module.css';

type Props = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  /** What the button does; its name for screen readers and its tooltip. */
  label: string;
  children: ReactNode;
  /** `small` is 28 px, otherwise 32. */
  small?: boolean;
  withTooltip?: boolean;
};

/** A square button that shows an icon only. */
export function IconButton({ label, children, small = false, withTooltip = true, ...button }: Props) {
  return (
    <Tooltip label={label} disabled={!withTooltip}>
      <UnstyledButton {...button} className={classes.button} data-small={small || undefined} aria-label={label}>
        {children}
      </UnstyledButton>
    </Tooltip>
  );
}
