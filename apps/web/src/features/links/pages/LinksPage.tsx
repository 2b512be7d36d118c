import { findSource } from '@sheaf/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { LinkGroup } from '#/features/links/LinkGroup.tsx';
import { MoreLinks } from '#/features/links/MoreLinks.tsx';
import { linkList } from '#/features/links/queries.ts';
import { type Link, type LinksOfType, linksByType } from '#/features/links/rows.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { late } from '#/lib/late.tsx';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { ButtonPath } from '#/ui/button/Button.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { Region } from '#/ui/Region.tsx';
import { returningTo } from './return.ts';

const EditDialog = late(() => import('#/features/links/EditDialog.tsx').then((loaded) => loaded.EditDialog), null, 'overlay');
const UnlinkDialog = late(() => import('#/features/links/UnlinkDialog.tsx').then((loaded) => loaded.UnlinkDialog), null, 'overlay');
const EmptyLinks = late(() => import('#/features/links/EmptyLinks.tsx').then((loaded) => loaded.EmptyLinks));
const SourceGrid = late(
  () => import('#/features/links/picker/SourceGrid.tsx').then((loaded) => loaded.SourceGrid),
  <SkeletonRows count={6} />,
);

type Props = {
  /** Return address after linking from here. */
  returnUrl: string;
  /** Edits a link to a Space, which has no connection of its own. */
  SpaceDialog: ComponentType<{ userLinkId: string; name: string; onClose: () => void }>;
  /** What stands above the links. */
  start?: ReactNode;
  /** Whether that is still loading: the links wait, so that they need not move. */
  isStarting?: boolean;
};

/** My links: all links by source type, and what can be linked. The address names the link whose dialog is open. */
export function LinksPage({ returnUrl, SpaceDialog, start, isStarting = false }: Props) {
  const list = useQuery({ ...linkList(), refetchInterval: 60_000 });
  const { edit } = useQueryParams();
  const [unlinking, setUnlinking] = useState<Link>();
  const go = useGo();
  const groups = list.data === undefined || isStarting ? undefined : linksByType(list.data.activeSources);
  const edited = groups?.flatMap(({ links }) => links).find(({ userLinkId }) => userLinkId === edit);
  const isSpace = edited !== undefined && findSource(edited.provider)?.formType === 'SPACES';
  const isEmpty = groups?.length === 0;

  // What stands above the links is not known yet: a heading would have to move.
  if (isStarting && !list.error)
    return (
      <Page>
        <SkeletonRows count={6} />
      </Page>
    );
  return (
    <Page>
      {groups && !isEmpty && start}
      <Region id="link-list" name="Links list">
        {isEmpty && <EmptyLinks />}
        {!isEmpty && (
          <PageHead title="My links" line={groups && countWords(groups)}>
            <ButtonPath href="/links" variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />}>
              Link storage
            </ButtonPath>
          </PageHead>
        )}
        {list.error && groups === undefined && (
          <ErrorState title="Your links could not be loaded" message={errorText(list.error)} onRetry={() => void list.refetch()} />
        )}
        {(list.isPending || isStarting) && <SkeletonRows count={6} />}
        {groups?.map((group) => (
          <LinkGroup
            key={group.sourceType}
            group={group}
            now={list.dataUpdatedAt / 1000}
            onEdit={({ userLinkId }) => go(`/account/mysheaf?edit=${encodeURIComponent(userLinkId)}`)}
            onUnlink={setUnlinking}
          />
        ))}
      </Region>
      {groups && (
        <Region id="link-picker" name="Link picker">
          {isEmpty ? <SourceGrid addressOf={returningTo(returnUrl)}>{null}</SourceGrid> : <MoreLinks returnUrl={returnUrl} />}
        </Region>
      )}
      {edited && !isSpace && <EditDialog link={edited} onLeave={(href) => go(href, { replace: true })} />}
      {edited && isSpace && (
        <SpaceDialog
          key={edited.userLinkId}
          userLinkId={edited.userLinkId}
          name={edited.name}
          onClose={() => go(returnUrl, { replace: true })}
        />
      )}
      {unlinking && <UnlinkDialog link={unlinking} onClose={() => setUnlinking(undefined)} />}
    </Page>
  );
}

function countWords(groups: readonly LinksOfType[]): string {
  const links = groups.flatMap((group) => group.links);
  const attention = links.filter(({ state }) => state === 'attention').length;
  const all = links.length === 1 ? '1 link.' : `${links.length} links.`;
  return attention === 0 ? all : `${all} ${attention} ${attention === 1 ? 'needs' : 'need'} attention.`;
}
