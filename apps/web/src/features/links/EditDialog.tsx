import { findSource } from '@sheaf/contract';
import { orgHome } from '#/lib/org-address.ts';
import { LinkDialog } from './dialogs/LinkDialog.tsx';
import { targetsOf } from './dialogs/targets.ts';
import type { Link } from './rows.ts';

type Props = { link: Link; orgOid?: string | undefined; onLeave: (href: string) => void };

/** The edit dialog of a link, over My links. */
export function EditDialog({ link, orgOid, onLeave }: Props) {
  const source = findSource(link.provider);
  if (source === undefined) return null;
  const home = orgOid === undefined ? '/account/mysheaf' : orgHome;
  const targets = targetsOf(source.family, 'edit', { back: home, cancel: home, orgOid });
  return <LinkDialog source={source} link={link} orgOid={orgOid} targets={targets} onLeave={onLeave} />;
}
