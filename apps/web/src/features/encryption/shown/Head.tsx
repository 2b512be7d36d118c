import { Button } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { PathLink } from '#/ui/PathLink.tsx';
import { lockVault } from '../crypt/state.ts';
import classes from './vault.module.css';

/** Says that a vault is open, with a button to lock it. */
export function Banner({ vaultId, storage, minutes }: { vaultId: string; storage: string; minutes: number }) {
  return (
    <div className={classes.banner}>
      <IconLockOpen size={18} stroke={1.75} aria-hidden="true" />
      <p>
        <b>Unlocked in this browser.</b> Sheaf’s server and {storage} see encrypted names only.
      </p>
      <span>Locks in {minutes} min</span>
      <Button size="xs" leftSection={<IconLock size={15} stroke={1.75} />} onClick={() => lockVault(vaultId)}>
        Lock now
      </Button>
    </div>
  );
}

type PathProps = {
  /** Clear names of the vault and the folders below it. */
  names: readonly string[];
  rootUri: string;
  linkUri: string;
  addressOf: (linkUri: string) => string;
};

/** Breadcrumbs from the list of vaults to the open folder. */
export function Path({ names, rootUri, linkUri, addressOf }: PathProps) {
  const segments = linkUri.slice(rootUri.length).split('/').slice(1);
  return (
    <nav aria-label="Path" className={classes.path}>
      <PathLink href="/account/mysheaf?catid=encryption">Encryption</PathLink>
      {names.map((name, index) => (
        <PathLink
          key={segments.slice(0, index).join('/')}
          href={addressOf([rootUri, ...segments.slice(0, index)].join('/'))}
          aria-current={index === names.length - 1 ? 'page' : undefined}
        >
          {name}
        </PathLink>
      ))}
    </nav>
  );
}
