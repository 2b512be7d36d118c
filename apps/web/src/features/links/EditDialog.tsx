import { findSource } from '@sheaf/contract';
import { LinkDialog } from './dialogs/LinkDialog.tsx';
import type { Link } from './rows.ts';

type Props = { link: Link; orgOid?: string | undefined; onLeave: (href: string) => void };

const home = '/account/mysheaf';

/** The edit dialog that fits a link, over My links. */
export function EditDialog({ link, orgOid, onLeave }: Props) {
  const source = findSource(link.provider);
  if (source === undefined) return null;
  return <LinkDialog source={source} link={link} orgOid={orgOid} targets={{ cancel: home, saved: () => home }} onLeave={onLeave} />;
}
