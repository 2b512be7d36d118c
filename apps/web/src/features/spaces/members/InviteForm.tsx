import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { GivenSpaceRole } from '@sheaf/contract';
import { useState } from 'react';
import { useInvite } from '#/features/spaces/queries.ts';
import { isGivenRole, roleChoices } from '#/features/spaces/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { Invited } from './Invited.tsx';
import classes from '../spaces.module.css';

/** Invites people by mail; refused addresses stay in the field. */
export function InviteForm({ spaceOid }: { spaceOid: string }) {
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState<GivenSpaceRole>('editor');
  const invite = useInvite(spaceOid);
  const isReady = emails.trim() !== '';
  const submit = (): void => {
    if (!isReady || invite.isPending) return;
    invite.mutate({ emails, role }, { onSuccess: ({ refused }) => setEmails(refused.map(({ email }) => email).join(', ')) });
  };
  return (
    <form action={submit} className={classes.invite}>
      <div className={classes.inviteLine}>
        <TextInput
          aria-label="E-mail addresses"
          placeholder="nora@example.org, sam@example.org"
          autoComplete="off"
          data-autofocus
          value={emails}
          disabled={invite.isPending}
          onChange={(event) => {
            setEmails(event.currentTarget.value);
            invite.reset();
          }}
        />
        <NativeSelect
          aria-label="Role of those invited"
          data={[...roleChoices]}
          value={role}
          disabled={invite.isPending}
          onChange={({ currentTarget: { value } }) => isGivenRole(value) && setRole(value)}
        />
        <Button type="submit" variant="filled" disabled={!isReady} loading={invite.isPending}>
          Invite
        </Button>
      </div>
      {invite.error && <Notice kind="error">{errorText(invite.error)}</Notice>}
      {invite.data && <Invited invited={invite.data.invited} refused={invite.data.refused} />}
    </form>
  );
}
