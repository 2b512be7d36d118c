import { useQuery } from '@tanstack/react-query';
import { BucketDialog } from '#/features/links/dialogs/BucketDialog.tsx';
import { LinkDialog } from '#/features/links/dialogs/LinkDialog.tsx';
import { targetsOf } from '#/features/links/dialogs/targets.ts';
import { linkList } from '#/features/links/queries.ts';
import { formSource } from '#/features/links/source-route.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { givenTargets, leave } from './return.ts';

/** `/link/auth/{form}`: a dialog as a page; edits the link in the address, or creates one. */
export function LinkFormPage() {
  const segment = useRoute()?.route.pattern.split('/').at(-1) ?? '';
  const { userLinkId, orgOid, provider, stateId, handoffToken, redirectUrl, cancelUrl } = useQueryParams();
  const list = useQuery({ ...linkList(orgOid), enabled: userLinkId !== undefined });

  if (list.error)
    return (
      <ErrorState level={1} title="Your links could not be loaded" message={errorText(list.error)} onRetry={() => void list.refetch()} />
    );
  if (userLinkId !== undefined && list.data === undefined) {
    return (
      <Page>
        <SkeletonRows count={3} />
      </Page>
    );
  }
  const link = list.data?.activeSources.flatMap(({ links }) => links).find((row) => row.userLinkId === userLinkId);
  if (userLinkId !== undefined && link === undefined) {
    return <ErrorState level={1} title="This link could not be found" message="It may have been unlinked." />;
  }
  const source = formSource(segment, link?.provider ?? provider);
  const given = { ...givenTargets({ redirectUrl, cancelUrl }), orgOid };
  if (source === undefined) return <ErrorState level={1} title="This page has no form" message={`There is no form called ${segment}.`} />;
  if (source.family === 'googlecloud' && link === undefined) {
    return (
      <BucketDialog
        source={source}
        stateId={stateId}
        handoffToken={handoffToken}
        orgOid={orgOid}
        targets={targetsOf(source.family, 'create', given)}
        onLeave={leave}
      />
    );
  }
  return (
    <LinkDialog
      source={source}
      link={link}
      orgOid={orgOid}
      stateId={stateId}
      targets={targetsOf(source.family, link === undefined ? 'create' : 'edit', given)}
      asPage
      onLeave={leave}
    />
  );
}
