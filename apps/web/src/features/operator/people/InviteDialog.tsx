import { Button, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { errorAnswerText, errorText } from '#/lib/http/error-text.ts';
import { CopyField } from '#/ui/CopyField.tsx';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { RefusedAddresses } from '#/ui/feedback/RefusedAddresses.tsx';
import { useInvitePeople } from './queries.ts';

const ends = [
  { value: '1', label: 'After a day' },
  { value: '7', label: 'After a week' },
  { value: '30', label: 'After 30 days' },
];

/** Invites people to create an account: by mail, or by a link to copy. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [by, setBy] = useState<'mail' | 'link'>('mail');
  const [emails, setEmails] = useState('');
  const [days, setDays] = useState('7');
  const invite = useInvitePeople();
  const links = invite.data?.invited.filter(({ link }) => link !== undefined) ?? [];
  const mailed = (invite.data?.invited.length ?? 0) - links.length;
  const refused = invite.data?.refused ?? [];
  const submit = (): void => {
    invite.mutate({ days: Number(days), ...(by === 'mail' && { emails }) });
  };

  return (
    <Dialog
      title="Invite people"
      sentence="An invitation lets somebody create an account here, once."
      onClose={onClose}
      busy={invite.isPending}
      wide
    >
      {invite.data ? (
        <DialogFields>
          {mailed > 0 && <p role="status">{mailed === 1 ? 'One invitation was mailed.' : `${mailed} invitations were mailed.`}</p>}
          {links.map(({ email, link = '' }) => (
            <CopyField key={link} label={email === undefined ? 'Link for one person' : `Link for ${email}`} text={link} />
          ))}
          {links.length > 0 && <p>Nobody can show {links.length === 1 ? 'this link' : 'these links'} again. Pass them on yourself.</p>}
          <RefusedAddresses refused={refused.map(({ email, ...error }) => ({ email, why: errorAnswerText(error) }))} />
        </DialogFields>
      ) : (
        <DialogFields>
          <Select
            label="How"
            data={[
              { value: 'mail', label: 'By mail' },
              { value: 'link', label: 'Link to copy' },
            ]}
            value={by}
            allowDeselect={false}
            onChange={(value) => setBy(value === 'link' ? 'link' : 'mail')}
          />
          {by === 'mail' && (
            <Textarea
              label="E-mail addresses"
              placeholder="anna@example.com, ben@example.com"
              rows={3}
              value={emails}
              onChange={(event) => setEmails(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {by === 'link' && <p>Whoever opens the link first can create an account, with any address.</p>}
          <Select label="Ends" data={ends} value={days} allowDeselect={false} onChange={(value) => setDays(value ?? '7')} />
          {invite.error && <Notice kind="error">{errorText(invite.error)}</Notice>}
        </DialogFields>
      )}
      <DialogButtons>
        {invite.data ? (
          <Button variant="filled" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose} disabled={invite.isPending}>
              Cancel
            </Button>
            <Button variant="filled" onClick={submit} loading={invite.isPending} disabled={by === 'mail' && emails.trim() === ''}>
              {by === 'mail' ? 'Invite' : 'Make a link'}
            </Button>
          </>
        )}
      </DialogButtons>
    </Dialog>
  );
}
