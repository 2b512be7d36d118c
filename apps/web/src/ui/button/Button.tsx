import type { ComponentProps, ComponentPropsWithRef, ReactNode } from 'react';
import { PathLink } from '../PathLink.tsx';
import { Spinner } from './Spinner.tsx';
import classes from './Button.module.css';

interface Look {
  variant?: 'default' | 'filled' | 'subtle';
  /** `xs` is 28 px high, otherwise 36. */
  size?: 'xs' | undefined;
  leftSection?: ReactNode;
}

const classOf = (className = ''): string => `${classes.button} ${classes.own} ${className}`;

const Section = ({ children }: { children: ReactNode }) =>
  children === undefined ? null : (
    <span className={classes.section} data-position="left">
      {children}
    </span>
  );

type ButtonProps = ComponentPropsWithRef<'button'> & Look & { loading?: boolean };

/** A button that looks like the component library's and needs nothing of it, for parts that are shown before the library is loaded, or without it. */
export function Button({
  variant = 'default',
  size,
  leftSection,
  loading = false,
  disabled = false,
  className,
  children,
  ...button
}: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={classOf(className)}
      data-variant={variant}
      data-size={size}
      disabled={disabled || loading}
      data-disabled={disabled || undefined}
      data-loading={loading || undefined}
    >
      <Section>{leftSection}</Section>
      <span>{children}</span>
      {loading && (
        <span className={classes.wait}>
          <Spinner size={18} />
        </span>
      )}
    </button>
  );
}

/** A link that looks like a {@link Button}: for addresses outside the app, such as downloads. */
export function ButtonLink({ variant = 'default', size, leftSection, className, children, ...anchor }: ComponentPropsWithRef<'a'> & Look) {
  return (
    <a {...anchor} className={classOf(className)} data-variant={variant} data-size={size}>
      <Section>{leftSection}</Section>
      <span>{children}</span>
    </a>
  );
}

/** A link to a path of this site that looks like a {@link Button}. */
export function ButtonPath({
  variant = 'default',
  size,
  leftSection,
  className,
  children,
  ...link
}: ComponentProps<typeof PathLink> & Look) {
  return (
    <PathLink {...link} className={classOf(className)} data-variant={variant} data-size={size}>
      <Section>{leftSection}</Section>
      <span>{children}</span>
    </PathLink>
  );
}
