import { Button } from '@mantine/core';
import type { EncryptedFolder } from '@sheaf/contract';
import { IconFileExport, IconFingerprint, IconKey, IconPencil, IconUsersGroup, IconX } from '@tabler/icons-react';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { lockVault, useMinutesLeft } from './crypt/state.ts';
import { MembersDialog } from './dialogs/MembersDialog.tsx';
import { PasskeysDialog } from './dialogs/PasskeysDialog.tsx';
import { RemoveDialog } from './dialogs/RemoveDialog.tsx';
import { RenameDialog } from './dialogs/RenameDialog.tsx';
import { WayDialog } from './dialogs/WayDialog.tsx';
import classes from './encryption.module.css';

/** A vault: its name, location, and whether it is open in this browser tab. Vaults of other Space members can only be unlocked here. */
export function EncryptedFolderRow({ folder }: { folder: EncryptedFolder }) {
  const [dialog, setDialog] = useState<'rename' | 'change' | 'passkeys' | 'members' | 'export' | 'remove'>();
  const { folderOid, name, destinationPath, wrapped, forMembers, member } = folder;
  const isOwn = member === undefined;
  const minutes = useMinutesLeft(folderOid);
  const shut = (): void => setDialog(undefined);
  const isOpen = minutes !== undefined;
  const address = `/vaults/${folderOid}`;
  return (
    <li className={classes.row} aria-label={name}>
      <span className={classes.lock} data-open={isOpen || undefined} aria-hidden="true">
        {isOpen ? <IconLockOpen size={20} stroke={1.75} /> : <IconLock size={20} stroke={1.75} />}
      </span>
      <PathLink className={classes.name} href={address}>
        <b>{name}</b>
      </PathLink>
      <span className={classes.place}>
        {destinationPath.split('/').join(' / ')}
        {member && `, from ${member.ownerName}`}
        {isOwn && forMembers && ', also for members'}
      </span>
      <span className={classes.state} data-open={isOpen || undefined}>
        {isOpen ? `Unlocked, locks in ${minutes} min` : 'Locked'}
      </span>
      {isOpen ? (
        <Button size="xs" onClick={() => lockVault(folderOid)}>
          Lock
        </Button>
      ) : (
        <Button size="xs" component={PathLink} href={address}>
          Unlock
        </Button>
      )}
      <ItemMenu of={name}>
        {isOwn && (
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => setDialog('rename')}>
            Rename
          </Menu.Item>
        )}
        {isOwn && wrapped !== undefined && (
          <>
            <Menu.Item leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => setDialog('change')}>
              Change passphrase
            </Menu.Item>
            <Menu.Item leftSection={<IconFingerprint size={16} stroke={1.75} />} onClick={() => setDialog('passkeys')}>
              Passkeys
            </Menu.Item>
            <Menu.Item leftSection={<IconUsersGroup size={16} stroke={1.75} />} onClick={() => setDialog('members')}>
              {forMembers ? 'Close to members' : 'Open to members of Spaces'}
            </Menu.Item>
          </>
        )}
        {wrapped !== undefined && (
          <Menu.Item leftSection={<IconFileExport size={16} stroke={1.75} />} onClick={() => setDialog('export')}>
            Save for rclone
          </Menu.Item>
        )}
        {isOwn && (
          <Menu.Item leftSection={<IconX size={16} stroke={1.75} />} onClick={() => setDialog('remove')}>
            Remove from the list
          </Menu.Item>
        )}
      </ItemMenu>
      {dialog === 'rename' && <RenameDialog folder={folder} onClose={shut} />}
      {(dialog === 'change' || dialog === 'export') && <WayDialog folder={folder} purpose={dialog} onClose={shut} />}
      {dialog === 'passkeys' && <PasskeysDialog folder={folder} onClose={shut} />}
      {dialog === 'members' && <MembersDialog folder={folder} onClose={shut} />}
      {dialog === 'remove' && <RemoveDialog folder={folder} onClose={shut} />}
    </li>
  );
}
