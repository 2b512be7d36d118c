import { Button, NativeSelect } from '@mantine/core';
import type { GivenSpaceRole, SpaceMember } from '@sheaf/contract';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { isGivenRole, roleChoices, roleNames } from '#/features/spaces/words.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import classes from '../spaces.module.css';

type Props = {
  member: SpaceMember;
  /** Whether the user may change this member. */
  isMine: boolean;
  isGoing: boolean;
  onRole: (role: GivenSpaceRole) => void;
  onRemove: () => void;
};

/** A member or an invitation. Removal is confirmed in the row itself. */
export function MemberRow({ member: { name, email, role, isInvited, isYou }, isMine, isGoing, onRole, onRemove }: Props) {
  const [isAsking, setAsking] = useState(false);
  const title = name === '' ? email : name;
  if (isAsking) {
    return (
      <li className={classes.member} aria-label={title} aria-busy={isGoing || undefined}>
        <span className={classes.words}>
          <b>{isInvited ? `Take the invitation of ${title} back?` : `Remove ${title}?`}</b>
        </span>
        <Button size="xs" disabled={isGoing} onClick={() => setAsking(false)} autoFocus>
          Keep
        </Button>
        <Button size="xs" variant="danger" loading={isGoing} onClick={onRemove}>
          Remove
        </Button>
      </li>
    );
  }
  return (
    <li className={classes.member} aria-label={title}>
      <span className={classes.words}>
        <b>
          {title}
          {isYou && <i> (you)</i>}
        </b>
        <small>{isInvited ? `Invited${name === '' ? '' : `, ${email}`}` : email}</small>
      </span>
      {isMine ? (
        <>
          <NativeSelect
            size="xs"
            className={classes.select}
            aria-label={`Role of ${title}`}
            data={[...roleChoices]}
            value={role}
            onChange={({ currentTarget: { value } }) => isGivenRole(value) && onRole(value)}
          />
          <IconButton small label={`Remove ${title}`} withTooltip={false} onClick={() => setAsking(true)}>
            <IconX size={16} stroke={1.75} />
          </IconButton>
        </>
      ) : (
        <span className={classes.role}>{roleNames[role]}</span>
      )}
    </li>
  );
}
