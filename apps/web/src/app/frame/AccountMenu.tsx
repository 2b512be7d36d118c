import { Menu, UnstyledButton } from '@mantine/core';
import type { Session } from '@sheaf/contract';
import { IconCalendarDollar, IconChevronDown, IconFolders, IconLogout, IconPlug, IconReceipt, IconUser } from '@tabler/icons-react';
import { PathLink } from '#/ui/PathLink.tsx';
import { initialsOf } from './initials.ts';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import classes from './TopBar.module.css';

const operatorEntry = { title: 'Providers', href: '/operator/providers', Icon: IconPlug } as const;
const entries = [
  { title: 'My Sheaf', href: '/account/mysheaf', Icon: IconFolders },
  { title: 'Profile', href: '/account/profile', Icon: IconUser },
  { title: 'Subscriptions', href: '/account/subscriptions', Icon: IconCalendarDollar },
  { title: 'Billing', href: '/account/billing', Icon: IconReceipt },
] as const;

/** The account's name and what belongs to the account. */
export function AccountMenu({ session, isOperator }: { session: Session; /** Runs this installation. */ isOperator: boolean }) {
  const { loginName, loginAccount } = session;
  const name = loginName === '' ? loginAccount : loginName;
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton className={classes.who} aria-label={`Account: ${name}`}>
          <span className={classes.face} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className={classes.name}>{name}</span>
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.account}>{loginAccount}</Menu.Label>
        {[...entries, ...(isOperator ? [operatorEntry] : [])].map(({ title, href, Icon }) => (
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
