import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { inOrg, orgHome } from '#/lib/org-address.ts';
import { ButtonPath } from '#/ui/button/Button.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { EditDialog } from './EditDialog.tsx';
import { LinkGroup } from './LinkGroup.tsx';
import { linkList } from './queries.ts';
import { type Link, linksByType } from './rows.ts';
import { UnlinkDialog } from './UnlinkDialog.tsx';

type Props = {
  orgOid: string;
  /** Whether the plan has ended: no link can be fixed before it is renewed. */
  isEnded: boolean;
};

/** The links of an organisation, which its members use and manage. The address names the one whose dialog is open. */
export function OrgLinks({ orgOid, isEnded }: Props) {
  const list = useQuery({ ...linkList(orgOid), refetchInterval: 60_000 });
  const query = useQueryParams();
  const [unlinking, setUnlinking] = useState<Link>();
  const go = useGo();
  const groups = list.data && linksByType(list.data.activeSources);
  const edited =
    query.orgOid === orgOid ? groups?.flatMap(({ links }) => links).find(({ userLinkId }) => userLinkId === query['edit']) : undefined;

  if (list.error && groups === undefined) {
    return <ErrorState title="The links could not be loaded" message={errorText(list.error)} onRetry={() => void list.refetch()} />;
  }
  if (groups === undefined) return <SkeletonRows count={3} />;
  return (
    <>
      {groups.length === 0 && (
        <EmptyState title="Nothing is linked here yet." actions={<ButtonPath href={inOrg('/links', orgOid)}>Link storage</ButtonPath>}>
          What you link for the organisation is there for every member.
        </EmptyState>
      )}
      {groups.map((group) => (
        <LinkGroup
          key={group.sourceType}
          group={group}
          orgOid={orgOid}
          isFixable={!isEnded}
          now={list.dataUpdatedAt / 1000}
          onEdit={({ userLinkId }) => go(inOrg(`${orgHome}&edit=${encodeURIComponent(userLinkId)}`, orgOid))}
          onUnlink={setUnlinking}
        />
      ))}
      {edited && <EditDialog link={edited} orgOid={orgOid} onLeave={(href) => go(href, { replace: true })} />}
      {unlinking && <UnlinkDialog link={unlinking} orgOid={orgOid} onClose={() => setUnlinking(undefined)} />}
    </>
  );
}
