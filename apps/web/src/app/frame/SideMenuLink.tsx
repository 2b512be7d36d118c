import type { ReactNode } from 'react';
import { PathLink } from '#/ui/PathLink.tsx';

type Props = {
  href: string;
  newTab: boolean;
  className: string | undefined;
  onClick: () => void;
  children: ReactNode;
  'aria-current'?: 'page' | undefined;
};

/** A line of the menu: a path of this site, or an address elsewhere. */
export function SideMenuLink({ href, newTab, children, ...anchor }: Props) {
  if (href.startsWith('/') && !newTab) {
    return (
      <PathLink {...anchor} href={href}>
        {children}
      </PathLink>
    );
  }
  return (
    <a {...anchor} href={href} {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})}>
      {children}
    </a>
  );
}
