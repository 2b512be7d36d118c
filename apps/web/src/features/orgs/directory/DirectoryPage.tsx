import { NativeSelect } from '@mantine/core';
import { type DirectoryGroup, type Org, givenOrgRoles } from '@sheaf/contract';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { OrgFrame } from '#/features/orgs/OrgFrame.tsx';
import { roleWords } from '#/features/orgs/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Section } from '#/ui/Section.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { directoryOf, useGroupRole } from './queries.ts';
import { TokenSection } from './TokenSection.tsx';
import classes from '../orgs.module.css';

/** Connects a directory such as Entra or Okta with an organisation, and shows the people and groups that it has added. */
export function DirectoryPage() {
  return (
    <OrgFrame right="members" what="the directory">
      {(org) => <Directory key={org.orgOid} org={org} />}
    </OrgFrame>
  );
}

function Directory({ org: { orgOid } }: { org: Org }) {
  const { data, error, refetch } = useQuery(directoryOf(orgOid));
  if (error && !data)
    return <ErrorState title="The directory could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={60} />;
  const { address, tokens, groups, people, joined } = data;
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>Address for the directory (SCIM 2.0)</dt>
          <dd>
            <CopyText text={address} label="Copy the address" />
          </dd>
        </div>
        <div>
          <dt>People in the directory</dt>
          <dd>
            {people}
            {people > 0 && <small>{joinedWords(people, joined)}</small>}
          </dd>
        </div>
      </dl>
      <TokenSection orgOid={orgOid} tokens={tokens} />
      <Section title="Groups" text="Who is in several groups gets the greater role. People of the directory without a group are members.">
        {groups.length === 0 ? (
          <p className={classes.quiet}>The directory has brought no groups yet.</p>
        ) : (
          <GroupList orgOid={orgOid} groups={groups} />
        )}
      </Section>
      <Section title="What it does">
        <p className={classes.quiet}>
          Who is added gets an invitation by mail and becomes a member on accepting it, or at once when signing in with a provider that the
          operator of Sheaf has set up. Who is suspended or removed loses access at once and keeps their own account. The owner is never
          removed.
        </p>
      </Section>
    </>
  );
}

function joinedWords(people: number, joined: number): string {
  if (joined === people) return people === 1 ? 'a member' : 'all are members';
  return joined === 0 ? 'none has joined yet' : `${joined} joined`;
}

function GroupList({ orgOid, groups }: { orgOid: string; groups: readonly DirectoryGroup[] }) {
  const change = useGroupRole(orgOid);
  return (
    <ul className={classes.people}>
      {groups.map(({ groupId, name, members, role }) => (
        <li key={groupId} className={classes.token}>
          <Tile>
            <IconUsersGroup size={18} stroke={1.75} />
          </Tile>
          <span className={classes.who}>
            <b>{name}</b>
            <small>{members === 1 ? '1 person' : `${members} people`}</small>
          </span>
          <NativeSelect
            aria-label={`Role of ${name}`}
            data={givenOrgRoles.map((value) => ({ value, label: roleWords[value] }))}
            value={role}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate(
                { groupId, role: event.currentTarget.value === 'admin' ? 'admin' : 'member' },
                { onError: (error) => notifyError(errorText(error)) },
              )
            }
          />
        </li>
      ))}
    </ul>
  );
}
