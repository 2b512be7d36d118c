import { Button } from '@mantine/core';
import type { ReplyOf, listOrgs } from '@sheaf/contract';
import { IconMailOpened } from '@tabler/icons-react';
import { useState } from 'react';
import { useAccept, useDecline } from '#/features/orgs/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { Tile } from '#/ui/Tile.tsx';
import classes from '../orgs.module.css';

type Invitation = ReplyOf<typeof listOrgs>['invitations'][number];

/** Invitations that wait for the user's answer. */
export function OpenInvitations({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <ul className={classes.invitations} aria-label="Invitations">
      {invitations.map((invitation) => (
        <Row key={invitation.invitationId} invitation={invitation} />
      ))}
    </ul>
  );
}

function Row({ invitation: { invitationId, name, invitedBy, role } }: { invitation: Invitation }) {
  const accept = useAccept(() => notifyDone(`You are now a member of ${name}.`));
  const decline = useDecline();
  const [isDeclining, setDeclining] = useState(false);
  const isBusy = accept.isPending || decline.isPending;
  return (
    <li className={classes.invitation}>
      <Tile>
        <IconMailOpened size={18} stroke={1.75} />
      </Tile>
      <span className={classes.who}>
        <b>{name}</b>
        <small>
          {invitedBy} invites you{role === 'admin' ? ' as an admin' : ''}.
        </small>
      </span>
      <span className={classes.actions}>
        <Button
          size="sm"
          variant="subtle"
          disabled={isBusy}
          aria-label={`Decline the invitation to ${name}`}
          onClick={() => setDeclining(true)}
        >
          Decline
        </Button>
        <Button
          size="sm"
          variant="filled"
          loading={accept.isPending}
          disabled={isBusy}
          aria-label={`Join ${name}`}
          onClick={() => accept.mutate({ invitationId }, { onError: (error) => notifyError(errorText(error)) })}
        >
          Join
        </Button>
      </span>
      {isDeclining && (
        <ConfirmDialog
          title={`Decline ${name}?`}
          confirm="Decline"
          cancel="Not now"
          busy={decline.isPending}
          onConfirm={() =>
            decline.mutate({ invitationId }, { onError: (error) => notifyError(errorText(error)), onSettled: () => setDeclining(false) })
          }
          onClose={() => setDeclining(false)}
        >
          {invitedBy} would have to invite you again.
        </ConfirmDialog>
      )}
    </li>
  );
}
