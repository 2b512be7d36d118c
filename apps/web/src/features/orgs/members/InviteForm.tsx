import { Button, Select, Textarea } from '@mantine/core';
import { type GivenOrgRole, givenOrgRoles } from '@sheaf/contract';
import { useState } from 'react';
import { useInvite } from '#/features/orgs/queries.ts';
import { roleExplanations, roleWords } from '#/features/orgs/words.ts';
import { errorText, errorAnswerText } from '#/lib/http/error-text.ts';
import { inOrg } from '#/lib/org-address.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { RefusedAddresses } from '#/ui/feedback/RefusedAddresses.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from '../orgs.module.css';

type Props = {
  orgOid: string;
  /** How many more members the plan covers. */
  free: number;
  /** Whether the user can buy more. */
  mayBuy: boolean;
};

/** Invites people, and lists those that could not be invited. */
export function InviteForm({ orgOid, free, mayBuy }: Props) {
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState<GivenOrgRole>('member');
  const invite = useInvite(orgOid);
  const { invited = [], refused = [] } = invite.data ?? {};
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate({ emails, role }, { onSuccess: (answer) => setEmails(answer.refused.map(({ email }) => email).join(', ')) });
      }}
    >
      <Textarea
        label="E-mail addresses"
        placeholder="anna@example.com, ben@example.com"
        rows={2}
        value={emails}
        onChange={(event) => {
          setEmails(event.currentTarget.value);
          if (!invite.isPending) invite.reset();
        }}
      />
      <Select
        label="Role"
        data={givenOrgRoles.map((value) => ({ value, label: roleWords[value] }))}
        value={role}
        onChange={(value) => setRole(value === 'admin' ? 'admin' : 'member')}
        description={roleExplanations[role]}
      />
      {invited.length > 0 && (
        <p className={classes.good} role="status">
          {invited.length === 1 ? `${invited[0] ?? ''} was invited.` : `${invited.length} people were invited.`}
        </p>
      )}
      <RefusedAddresses refused={refused.map(({ email, ...error }) => ({ email, why: errorAnswerText(error) }))} />
      {invite.error && <Notice kind="error">{errorText(invite.error)}</Notice>}
      {free === 0 && (
        <p className={classes.quiet}>
          The plan carries no more members.{' '}
          {mayBuy ? (
            <PathLink className={classes.textLink} href={inOrg('/org/subscription', orgOid)}>
              Purchase units
            </PathLink>
          ) : (
            'The owner can purchase more units.'
          )}
        </p>
      )}
      <Button type="submit" variant="filled" loading={invite.isPending} disabled={emails.trim() === ''}>
        Invite
      </Button>
    </form>
  );
}
