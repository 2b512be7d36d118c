import type { MouseEventHandler, ReactNode } from 'react';
import classes from './SkipLink.module.css';

interface Props {
  href: `#${string}`;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
  children: ReactNode;
}

/** A link for keyboards past what every page begins with; visible only while it has the focus. */
export const SkipLink = (props: Props) => <a className={classes.skip} {...props} />;
