import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { useSignUpRules } from '#/lib/session/sign-up-rules.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { InvitationList } from './InvitationList.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { OperatorLog } from './OperatorLog.tsx';
import { PeopleList } from './PeopleList.tsx';
import { openInvitations } from './queries.ts';

/** For the operator: who has an account, who may create one, and what operators did. */
export function PeoplePage() {
  const rules = useSignUpRules();
  const { data, error, refetch } = useQuery(openInvitations());
  const [isInviting, setInviting] = useState(false);
  return (
    <Page>
      <PageHead title="People" line={rules && words(rules.mode, rules.domains)}>
        {rules !== undefined && rules.mode !== 'closed' && (
          <Button variant="filled" leftSection={<IconUserPlus size={16} stroke={1.75} />} onClick={() => setInviting(true)}>
            Invite people
          </Button>
        )}
      </PageHead>
      {error && <ErrorState title="The invitations could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {data !== undefined && data.invitations.length > 0 && <InvitationList invitations={data.invitations} />}
      <PeopleList />
      <OperatorLog />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

function words(mode: 'open' | 'invited' | 'closed', domains: readonly string[]): string {
  if (mode === 'closed') return 'Nobody can create an account (SHEAF_SIGNUP).';
  if (mode === 'invited') return 'New accounts are by invitation (SHEAF_SIGNUP).';
  return domains.length === 0
    ? 'Everybody who reaches this Sheaf can create an account (SHEAF_SIGNUP).'
    : `Everybody with an address of ${domains.join(' or ')} can create an account (SHEAF_SIGNUP_DOMAINS).`;
}
