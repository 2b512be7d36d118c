import type { Session } from '@sheaf/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { initialsOf } from '#/lib/initials.ts';
import { late } from '#/lib/late.tsx';
import { useLateMenu } from '#/ui/menu/use-late-menu.ts';
import classes from '../TopBar.module.css';

const AccountEntries = late(() => import('./AccountEntries.tsx').then((loaded) => loaded.AccountEntries), null, 'overlay');

/** The account's name and its menu. */
export function AccountMenu({ session, isOperator }: { session: Session; /** Runs this installation. */ isOperator: boolean }) {
  const { loginName, loginAccount, pictureUrl } = session;
  const { isOpen, close, button } = useLateMenu(AccountEntries.preload);
  const name = loginName === '' ? loginAccount : loginName;
  return (
    <span className={classes.whose}>
      <button type="button" {...button} className={classes.who} aria-label={`Account: ${name}`}>
        <span className={classes.face} aria-hidden="true">
          {pictureUrl === undefined ? initialsOf(name) : <img src={pictureUrl} alt="" />}
        </span>
        <span className={classes.name}>{name}</span>
        <IconChevronDown size={14} stroke={2} aria-hidden="true" />
      </button>
      {isOpen && <AccountEntries session={session} isOperator={isOperator} name={name} onClose={close} />}
    </span>
  );
}
