import { useMergedRef } from '@mantine/hooks';
import { type ComponentPropsWithRef, type ReactNode, useRef } from 'react';
import { useTip } from './feedback/Tip.tsx';
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
export function IconButton({ label, children, small = false, withTooltip = true, ref, ...button }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const tip = useTip(own, label, { isOff: !withTooltip });
  return (
    <>
      <button
        type="button"
        {...button}
        ref={useMergedRef(own, ref)}
        className={classes.button}
        data-small={small || undefined}
        aria-label={label}
      >
        {children}
      </button>
      {tip}
    </>
  );
}
