import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#/lib/call-error.ts';
import { useQueryParams } from '#/lib/location.ts';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { SkeletonRows } from '#/ui/Skeleton.tsx';
import { ErrorState } from '#/ui/StatePanel.tsx';
import { EditDialog } from './EditDialog.tsx';
import { EmptyLinks } from './EmptyLinks.tsx';
import { LinkGroup } from './LinkGroup.tsx';
import { linkList } from './queries.ts';
import { type Link, type LinksOfType, linksByType } from './rows.ts';
import { UnlinkDialog } from './UnlinkDialog.tsx';

/** My links: everything that is linked, by source type. The address names the link whose dialog is open. */
export function LinksPage() {
  const list = useQuery({ ...linkList(), refetchInterval: 60_000 });
  const { edit, orgOid } = useQueryParams();
  const [unlinking, setUnlinking] = useState<Link>();
  const go = useGo();
  const groups = list.data === undefined ? undefined : linksByType(list.data.activeSources);
  if (groups?.length === 0) return <EmptyLinks />;
  const edited = groups?.flatMap(({ links }) => links).find(({ userLinkId }) => userLinkId === edit);

  return (
    <Page>
      <PageHead title="My links" line={groups && countWords(groups)}>
        <Button component={PathLink} href="/links" variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />}>
          Link storage
        </Button>
      </PageHead>
      {list.error && groups === undefined && (
        <ErrorState title="Your links could not be loaded" message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <SkeletonRows count={6} />}
      {groups?.map((group) => (
        <LinkGroup
          key={group.sourceType}
          group={group}
          now={list.dataUpdatedAt / 1000}
          onEdit={({ userLinkId }) => go(`/account/mysheaf?edit=${encodeURIComponent(userLinkId)}`)}
          onUnlink={setUnlinking}
        />
      ))}
      {edited && <EditDialog link={edited} orgOid={orgOid} onLeave={go} />}
      {unlinking && <UnlinkDialog link={unlinking} orgOid={orgOid} onClose={() => setUnlinking(undefined)} />}
    </Page>
  );
}

function countWords(groups: readonly LinksOfType[]): string {
  const links = groups.flatMap((group) => group.links);
  const attention = links.filter(({ state }) => state === 'attention').length;
  const all = links.length === 1 ? '1 link.' : `${links.length} links.`;
  return attention === 0 ? all : `${all} ${attention} ${attention === 1 ? 'needs' : 'need'} attention.`;
}
