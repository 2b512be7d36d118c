import { Button, Menu } from '@mantine/core';
import type { Space } from '@sheaf/contract';
import { IconDots, IconDoorExit, IconFolder, IconPencil, IconTrash, IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { memberWords, placeOf, roleNames, troubleOf } from './words.ts';
import classes from './spaces.module.css';

type Props = { space: Space; onRename: () => void; onMembers: () => void; onFolder: () => void; onEnd: () => void };

/** A space: all of the row leads into its folder. */
export function SpaceRow({ space, onRename, onMembers, onFolder, onEnd }: Props) {
  const { linkName: name, role, members, browseUrl } = space;
  const isOwner = role === 'owner';
  const trouble = troubleOf(space);
  const stateWords = trouble === undefined ? 'Working' : 'Needs attention';
  return (
    <li className={classes.row} data-attention={trouble !== undefined || undefined} aria-label={name}>
      <Tile size={36} hue={152}>
        <IconUsersGroup size={20} stroke={1.75} />
      </Tile>
      <span className={classes.words}>
        <PathLink className={classes.link} href={browseUrl} title={name}>
          {name}
        </PathLink>
        <small>{placeOf(space)}</small>
      </span>
      <span className={classes.role}>{roleNames[role]}</span>
      <span className={classes.members}>{memberWords(members)}</span>
      <span
        className={classes.dot}
        data-state={trouble === undefined ? 'ok' : 'attention'}
        role="img"
        aria-label={stateWords}
        title={stateWords}
      />
      <span className={classes.over}>
        <Menu>
          <Menu.Target>
            <IconButton label={`Menu of ${name}`} withTooltip={false}>
              <IconDots size={18} stroke={1.75} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={onRename}>
              Rename
            </Menu.Item>
            <Menu.Item leftSection={<IconUsers size={18} stroke={1.75} />} onClick={onMembers}>
              Members
            </Menu.Item>
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
          </Menu.Dropdown>
        </Menu>
      </span>
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
