import type { Session } from '@sheaf/contract';
import { IconMenu2 } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { SearchButton } from '#/features/search/SearchButton.tsx';
import { TransfersButton } from '#/features/transfers/TransfersButton.tsx';
import { useBrand } from '#/ui/brand/brand.ts';
import { Mark } from '#/ui/brand/Mark.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { AccountMenu } from './account/AccountMenu.tsx';
import { UpgradeNotice } from './UpgradeNotice.tsx';
import classes from './TopBar.module.css';

type Props = {
  session: Session;
  /** Whether the user operates this installation. */
  isOperator: boolean;
  isMenuOpen: boolean;
  onMenu: () => void;
  burger: RefObject<HTMLButtonElement | null>;
  onSearch: () => void;
  isDrawerOpen: boolean;
  onDrawer: () => void;
};

/** Menu button, logo and name, trial notice, transfers, account. */
export function TopBar({ session, isOperator, isMenuOpen, onMenu, burger, onSearch, isDrawerOpen, onDrawer }: Props) {
  const { name } = useBrand();
  return (
    <header className={classes.bar}>
      <IconButton ref={burger} label="Side menu" aria-expanded={isMenuOpen} withTooltip={false} onClick={onMenu}>
        <IconMenu2 size={18} stroke={1.75} />
      </IconButton>
      <PathLink className={classes.brand} href="/account/mysheaf" aria-label={`${name}, my links`}>
        <Mark />
        {name}
      </PathLink>
      <SearchButton onOpen={onSearch} />
      <span className={classes.grow} />
      <UpgradeNotice state={session.upgradeState} days={session.expirationDays} />
      <TransfersButton isOpen={isDrawerOpen} onToggle={onDrawer} />
      <AccountMenu session={session} isOperator={isOperator} />
    </header>
  );
}
