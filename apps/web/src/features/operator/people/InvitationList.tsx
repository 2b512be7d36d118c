import { Button } from '@mantine/core';
import type { SignUpInvitation } from '@sheaf/contract';
import { IconLink, IconMail } from '@tabler/icons-react';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { Tile } from '#/ui/Tile.tsx';
import { useWithdrawInvitation } from './queries.ts';
import shared from '../sections.module.css';
import classes from './people.module.css';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Open invitations; each can be taken back. */
export function InvitationList({ invitations }: { invitations: readonly SignUpInvitation[] }) {
  const withdraw = useWithdrawInvitation();
  return (
    <section aria-label="Open invitations" className={shared.section}>
      <h2>Open invitations</h2>
      <ul className={shared.list}>
        {invitations.map(({ invitationId, email = 'A link to copy', invitedBy, expiresAt }) => (
          <li key={invitationId} className={classes.row}>
            <Tile>{email.includes('@') ? <IconMail size={18} stroke={1.75} /> : <IconLink size={18} stroke={1.75} />}</Tile>
            <span className={classes.who}>
              <b>{email}</b>
              <small>
                {invitedBy !== undefined && `From ${invitedBy}. `}Ends {date.format(expiresAt * 1000)}.
              </small>
            </span>
            <Button
              size="xs"
              disabled={withdraw.isPending}
              aria-label={`Take back the invitation: ${email}`}
              onClick={() => withdraw.mutate(invitationId, { onError: (error) => notifyError(errorText(error)) })}
            >
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
