import { Button } from '@mantine/core';
import { products } from '@sheaf/contract';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { OpenInvitations } from './members/OpenInvitations.tsx';
import { OrgSection } from './OrgSection.tsx';
import { orgList } from './queries.ts';

type Props = {
  /** Renders the links of an organisation. */
  Links: ComponentType<{ orgOid: string; isEnded: boolean }>;
};

const accessPath = `/org-access?trialDays=${products.org.trialDays}`;

/** The user's organisations, each with its links, and pending invitations. */
export function OrgList({ Links }: Props) {
  const { data, error, refetch } = useQuery(orgList);
  if (error && !data)
    return (
      <ErrorState level={1} title="Your organisations could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />
    );
  if (!data) {
    return (
      <Page>
        <PageHead title="Organisation" />
        <SkeletonRows count={5} />
      </Page>
    );
  }
  const { orgs, invitations } = data;
  const enable = (
    <Button component={PathLink} href={accessPath} variant={orgs.length === 0 ? 'filled' : 'default'}>
      Enable Org Access
    </Button>
  );
  return (
    <Page>
      <PageHead title="Organisation" line={orgs.length > 1 ? `${orgs.length} organisations.` : undefined}>
        {orgs.length > 0 && !orgs.some(({ role }) => role === 'owner') && enable}
      </PageHead>
      {invitations.length > 0 && <OpenInvitations invitations={invitations} />}
      {orgs.length === 0 && (
        <EmptyState icon={<IconUsersGroup size={24} stroke={1.5} />} title="You do not belong to an organisation yet." actions={enable}>
          An organisation shares its storage with all of its members. Purchase for your whole group with one credit card.
        </EmptyState>
      )}
      {orgs.map((org) => (
        <OrgSection key={org.orgOid} org={org} Links={Links} />
      ))}
    </Page>
  );
}
