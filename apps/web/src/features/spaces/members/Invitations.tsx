import { Button } from '@mantine/core';
import type { ReplyOf, listSpaces } from '@sheaf/contract';
import { IconMailOpened } from '@tabler/icons-react';
import { useState } from 'react';
import { useAccept, useDecline } from '#/features/spaces/queries.ts';
import { roleSentences } from '#/features/spaces/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { Tile } from '#/ui/Tile.tsx';
import classes from '../spaces.module.css';

type Invitation = ReplyOf<typeof listSpaces>['invitations'][number];

/** Invitations that wait for the user's answer. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const [declining, setDeclining] = useState<Invitation>();
  const accept = useAccept();
  const decline = useDecline();
  const isBusy = accept.isPending || decline.isPending;
  const answered = ({ invitationId, name }: Invitation): void =>
    accept.mutate(
      { invitationId },
      {
        onSuccess: () => notifyDone(`You have joined ${name}.`),
        onError: (error) => notifyError(`Cannot join ${name}. ${errorText(error)}`),
      },
    );
  const declined = ({ invitationId, name }: Invitation): void =>
    decline.mutate(
      { invitationId },
      {
        onError: (error) => notifyError(`Cannot decline ${name}. ${errorText(error)}`),
        onSettled: () => setDeclining(undefined),
      },
    );
  return (
    <>
      <ul className={classes.invitations} aria-label="Invitations">
        {invitations.map((invitation) => {
          const { invitationId, name, ownerName, role } = invitation;
          return (
            <li key={invitationId} className={classes.invitation} aria-label={name}>
              <Tile size={36} hue={80}>
                <IconMailOpened size={20} stroke={1.75} />
              </Tile>
              <p>
                <b>
                  {ownerName} invites you to {name}.
                </b>
                <small>{roleSentences[role]}</small>
              </p>
              <div className={classes.answers}>
                <Button size="xs" variant="subtle" disabled={isBusy} onClick={() => setDeclining(invitation)}>
                  Decline
                </Button>
                <Button
                  size="xs"
                  variant="filled"
                  disabled={isBusy}
                  loading={accept.isPending && 'invitationId' in accept.variables && accept.variables.invitationId === invitationId}
                  onClick={() => answered(invitation)}
                >
                  Accept
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {declining && (
        <ConfirmDialog
          title={`Decline ${declining.name}?`}
          confirm="Decline"
          cancel="Not now"
          busy={decline.isPending}
          onConfirm={() => declined(declining)}
          onClose={() => setDeclining(undefined)}
        >
          {declining.ownerName} would have to invite you again.
        </ConfirmDialog>
      )}
    </>
  );
}
