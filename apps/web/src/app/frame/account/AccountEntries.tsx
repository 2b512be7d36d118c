import type { Session } from '@sheaf/contract';
import {
  IconAdjustments,
  IconCalendarDollar,
  IconDatabaseExport,
  IconFlask2,
  IconFolders,
  IconGauge,
  IconHeartbeat,
  IconListCheck,
  IconLogout,
  IconPlug,
  IconReceipt,
  IconTrash,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '#/lib/session/session.ts';
import { AnchoredMenu } from '#/ui/menu/AnchoredMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import classes from '../TopBar.module.css';

const people = { title: 'People', href: '/operator/people', Icon: IconUsers } as const;
const backups = { title: 'Backups', href: '/operator/backups', Icon: IconDatabaseExport } as const;
const health = { title: 'Health', href: '/operator/health', Icon: IconHeartbeat } as const;
const providers = { title: 'Providers', href: '/operator/providers', Icon: IconPlug } as const;
const jobs = { title: 'Jobs', href: '/operator/jobs', Icon: IconListCheck } as const;
const limits = { title: 'Limits', href: '/operator/limits', Icon: IconGauge } as const;
const settings = { title: 'Settings', href: '/operator/settings', Icon: IconAdjustments } as const;
const sandbox = { title: 'Billing sandbox', href: '/operator/billing', Icon: IconFlask2 } as const;
const account = [
  { title: 'My Sheaf', href: '/account/mysheaf', Icon: IconFolders },
  { title: 'Changes and bins', href: '/account/changes', Icon: IconTrash },
  { title: 'Profile', href: '/account/profile', Icon: IconUser },
] as const;
const shop = [
  { title: 'Subscriptions', href: '/account/subscriptions', Icon: IconCalendarDollar },
  { title: 'Billing', href: '/account/billing', Icon: IconReceipt },
] as const;

type Props = {
  session: Session;
  /** Whether the user runs this installation. */
  isOperator: boolean;
  name: string;
  onClose: () => void;
};

/** The open menu of the account. */
export function AccountEntries({ session: { loginAccount }, isOperator, name, onClose }: Props) {
  const { billing = 'off' } = useQuery(sessionQuery).data ?? {};
  const entries = [
    ...account,
    ...(billing === 'off' ? [] : shop),
    ...(isOperator ? [people, limits, providers, jobs, backups, settings, health] : []),
    ...(isOperator && billing === 'sandbox' ? [sandbox] : []),
  ];
  return (
    <AnchoredMenu label={`Account: ${name}`} onClose={onClose}>
      <Menu.Label className={classes.account}>{loginAccount}</Menu.Label>
      {entries.map(({ title, href, Icon }) => (
        <Menu.Item key={href} component={PathLink} href={href} leftSection={<Icon size={18} stroke={1.75} />}>
          {title}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <ThemeSwitch />
      <Menu.Divider />
      <Menu.Item component={PathLink} href="/logout" leftSection={<IconLogout size={18} stroke={1.75} />}>
        Sign out
      </Menu.Item>
    </AnchoredMenu>
  );
}
