import { Button } from '@mantine/core';
import type { Source } from '@sheaf/contract';
import { IconQuestionMark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LinkDialog } from '#/features/links/dialogs/LinkDialog.tsx';
import { targetsOf } from '#/features/links/dialogs/targets.ts';
import { linkList } from '#/features/links/queries.ts';
import { linkToEdit, linksOf, wantedSource } from '#/features/links/source-route.ts';
import { SourceLinks } from '#/features/links/SourceLinks.tsx';
import { errorText } from '#/lib/http/error-text.ts';
import { logError } from '#/lib/log.ts';
import { useQueryParams, useReturned } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { givenTargets, leave } from './return.ts';

/** `/links/{type}`: the dialog of a source type. Renders nothing for a type with its own address. */
export function LinkSourcePage() {
  const segment = useRoute()?.params['sourceType'];
  // The address already belongs to another page, which is still loading.
  if (segment === undefined) return null;
  const wanted = wantedSource(segment);
  if (wanted.kind === 'elsewhere') return null;
  if (wanted.kind === 'unknown') return <UnknownSource type={segment} />;
  return <SourceDialog key={wanted.source.provider} source={wanted.source} />;
}

function SourceDialog({ source }: { source: Source }) {
  const { userLinkId, mode, orgOid, redirectUrl, cancelUrl } = useQueryParams();
  const list = useQuery(linkList(orgOid));
  const returned = useReturned();

  if (list.error && list.data === undefined) {
    return (
      <ErrorState level={1} title="Your links could not be loaded" message={errorText(list.error)} onRetry={() => void list.refetch()} />
    );
  }
  if (list.data === undefined) {
    return (
      <Page>
        <SkeletonRows count={3} />
      </Page>
    );
  }
  const groups = list.data.activeSources;
  if (returned && orgOid === undefined && linksOf(source, groups).length > 0)
    return <SourceLinks source={source} groups={groups} now={list.dataUpdatedAt / 1000} />;
  const link = linkToEdit(source, groups, { userLinkId, mode, orgOid });
  return (
    <LinkDialog
      source={source}
      link={link}
      orgOid={orgOid}
      targets={targetsOf(source.family, link === undefined ? 'create' : 'edit', { ...givenTargets({ redirectUrl, cancelUrl }), orgOid })}
      asPage
      onLeave={leave}
    />
  );
}

function UnknownSource({ type }: { type: string }) {
  useEffect(() => logError(`Unknown source type: ${type}`), [type]);
  return (
    <EmptyState
      level={1}
      icon={<IconQuestionMark size={24} stroke={1.5} />}
      title="Sheaf does not know this type of storage"
      actions={
        <Button component={PathLink} href="/links" variant="filled">
          Show all types
        </Button>
      }
    >
      Perhaps it is called something else in the list.
    </EmptyState>
  );
}
