import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { useSignUpRules } from '#/lib/session/sign-up-rules.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { InvitationList } from './InvitationList.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { openInvitations } from './queries.ts';

/** For the operator: who may create an account. */
export function PeoplePage() {
  const rules = useSignUpRules();
  const { data, error, refetch } = useQuery(openInvitations());
  const [isInviting, setInviting] = useState(false);
  const isClosed = rules?.mode === 'closed';
  const invite = !isClosed && (
    <Button variant="filled" leftSection={<IconUserPlus size={16} stroke={1.75} />} onClick={() => setInviting(true)}>
      Invite people
    </Button>
  );
  return (
    <Page>
      <PageHead title="People" line={rules && words(rules.mode, rules.domains)}>
        {(data?.invitations.length ?? 0) > 0 && invite}
      </PageHead>
      {error && <ErrorState title="The invitations could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={3} height={60} />}
      {data?.invitations.length === 0 && (
        <EmptyState icon={<IconUserPlus size={24} stroke={1.5} />} title="No open invitations" actions={invite}>
          {isClosed ? 'Nobody can create an account while SHEAF_SIGNUP is closed.' : 'Invite people by mail, or make a link to copy.'}
        </EmptyState>
      )}
      {data !== undefined && data.invitations.length > 0 && <InvitationList invitations={data.invitations} />}
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
