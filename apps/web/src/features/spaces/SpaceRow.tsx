import { Button } from '@mantine/core';
import { type Space, mayInSpace } from '@sheaf/contract';
import { IconDoorExit, IconFolder, IconHistory, IconPencil, IconTrash, IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { withQuery } from '#/lib/http/form-body.ts';
import { StateDot } from '#/ui/feedback/StateDot.tsx';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { OverRow, RowLink } from '#/ui/RowLink.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { memberWords, placeOf, roleNames, troubleOf } from './words.ts';
import classes from './spaces.module.css';

type Props = { space: Space; onRename: () => void; onMembers: () => void; onFolder: () => void; onEnd: () => void };

/** A Space; clicking anywhere opens its folder. */
export function SpaceRow({ space, onRename, onMembers, onFolder, onEnd }: Props) {
  const { linkName: name, role, members, browseUrl } = space;
  const isOwner = role === 'owner';
  const trouble = troubleOf(space);
  return (
    <li className={classes.row} data-attention={trouble !== undefined || undefined} aria-label={name}>
      <Tile size={36} hue={152}>
        <IconUsersGroup size={20} stroke={1.75} />
      </Tile>
      <span className={classes.words}>
        <RowLink className={classes.link} href={browseUrl} title={name}>
          {name}
        </RowLink>
        <small>{placeOf(space)}</small>
      </span>
      <span className={classes.role}>{roleNames[role]}</span>
      <span className={classes.members}>{memberWords(members)}</span>
      <StateDot state={trouble === undefined ? 'ok' : 'attention'} />
      <OverRow>
        <ItemMenu of={name}>
          <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={onRename}>
            Rename
          </Menu.Item>
          <Menu.Item leftSection={<IconUsers size={18} stroke={1.75} />} onClick={onMembers}>
            Members
          </Menu.Item>
          {mayInSpace(space.role, 'audit') && (
            <Menu.Item
              component={PathLink}
              href={withQuery('/account/activity', { space: space.spaceOid })}
              leftSection={<IconHistory size={18} stroke={1.75} />}
            >
              Activity
            </Menu.Item>
          )}
          {isOwner && (
            <Menu.Item leftSection={<IconFolder size={18} stroke={1.75} />} onClick={onFolder}>
              Change folder
            </Menu.Item>
          )}
          <Menu.Item
            data-danger
            leftSection={isOwner ? <IconTrash size={18} stroke={1.75} /> : <IconDoorExit size={18} stroke={1.75} />}
            onClick={onEnd}
          >
            {isOwner ? 'End' : 'Leave'}
          </Menu.Item>
        </ItemMenu>
      </OverRow>
      {trouble !== undefined && (
        <div className={classes.why}>
          <p>{trouble}</p>
          {isOwner && space.state === 'unlinked' && (
            <Button size="xs" onClick={onFolder}>
              Change folder
            </Button>
          )}
          {isOwner && space.state === 'expired' && (
            <Button size="xs" component={PathLink} href="/add-ons/spaces">
              Get Spaces
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
