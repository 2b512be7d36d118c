import type { ComponentPropsWithRef } from 'react';
import { PathLink } from '#/ui/PathLink.tsx';

type Props = ComponentPropsWithRef<'a'> & { href: string; newTab: boolean };

/** Link of a menu item: a path of this site, or an external address. */
export function SideMenuLink({ href, newTab, ...anchor }: Props) {
  if (href.startsWith('/') && !newTab) return <PathLink {...anchor} href={href} />;
  return <a {...anchor} href={href} {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})} />;
}
