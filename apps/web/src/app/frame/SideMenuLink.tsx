import type { ComponentPropsWithRef } from 'react';
import { PathLink } from '#/ui/PathLink.tsx';

type Props = ComponentPropsWithRef<'a'> & { href: string; newTab: boolean };

/** A line of the menu: a path of this site, or an address elsewhere. */
export function SideMenuLink({ href, newTab, ...anchor }: Props) {
  if (href.startsWith('/') && !newTab) return <PathLink {...anchor} href={href} />;
  return <a {...anchor} href={href} {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})} />;
}
