import { type Org, mayInOrg } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { OrgFrame } from '#/features/orgs/OrgFrame.tsx';
import { memberList } from '#/features/orgs/queries.ts';
import { OrgSettings } from '#/features/orgs/settings/OrgSettings.tsx';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Section } from '#/ui/Section.tsx';
import { InviteForm } from './InviteForm.tsx';
import { MemberList } from './MemberList.tsx';
import { membersOfPlan } from './plan-members.ts';
import classes from '../orgs.module.css';

/** Members of an organisation, and how many its plan covers. */
export function MembersPage() {
  return (
    <OrgFrame right="members" what="the members">
      {(org) => <Members key={org.orgOid} org={org} />}
    </OrgFrame>
  );
}

function Members({ org }: { org: Org }) {
  const { data, error, refetch } = useQuery(memberList(org.orgOid));
  if (error && !data)
    return <ErrorState title="The members could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={60} />;
  const { orgOid, planName, members } = data;
  const carried = membersOfPlan(data.planMembers);
  const free = Math.max(0, carried - members.length);
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>Organisation id</dt>
          <dd>
            <CopyText text={orgOid} label="Copy the organisation id" />
          </dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>{planName === '' ? 'None' : planName}</dd>
        </div>
        <div>
          <dt>Members the plan carries</dt>
          <dd>
            {carried}
            {carried > 0 && <small>{free === 0 ? 'all taken' : `${free} free`}</small>}
          </dd>
        </div>
      </dl>
      <Section title="Members" text="Open invitations count too.">
        <MemberList org={org} members={members} />
      </Section>
      <Section title="Invite" text="A message with a link goes to each address. The link works for two weeks.">
        <InviteForm orgOid={orgOid} free={free} mayBuy={mayInOrg(org.role, 'billing')} />
      </Section>
      <OrgSettings org={org} />
    </>
  );
}
