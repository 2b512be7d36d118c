import { Menu, UnstyledButton } from '@mantine/core';
import type { Session } from '@sheaf/contract';
import {
  IconAdjustments,
  IconCalendarDollar,
  IconChevronDown,
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
import { useState } from 'react';
import { initialsOf } from '#/lib/initials.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import classes from './TopBar.module.css';

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

/** The account's name and its menu. */
export function AccountMenu({ session, isOperator }: { session: Session; /** Runs this installation. */ isOperator: boolean }) {
  const { loginName, loginAccount } = session;
  const { billing = 'off' } = useQuery(sessionQuery).data ?? {};
  const [isOpen, setOpen] = useState(false);
  const entries = [
    ...account,
    ...(billing === 'off' ? [] : shop),
    ...(isOperator ? [people, limits, providers, jobs, backups, settings, health] : []),
    ...(isOperator && billing === 'sandbox' ? [sandbox] : []),
  ];
  const name = loginName === '' ? loginAccount : loginName;
  return (
    <Menu opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        {/* The menu hears Esc itself only once it has the focus, which is a moment after it opens. */}
        <UnstyledButton
          className={classes.who}
          aria-label={`Account: ${name}`}
          onKeyDown={({ key }) => {
            if (key === 'Escape') setOpen(false);
          }}
        >
          <span className={classes.face} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className={classes.name}>{name}</span>
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  );
}
