import { Button } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEncryptionRoot } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { linkGroups } from './listing/queries.ts';
import classes from './BrowseRootPage.module.css';

/** All links, shown as folders. */
export function BrowseRootPage() {
  const { data, error, refetch } = useQuery(linkGroups);
  const encryptionRoot = useEncryptionRoot();
  const links = data?.activeSources
    .flatMap((group) => group.links.map((link) => ({ ...link, group: group.title })))
    .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return (
    <Page>
      <PageHead title="Browse" line={links && (links.length === 1 ? '1 link' : `${links.length} links`)} />
      {error && <ErrorState title="Your links cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {!error && !links && <SkeletonRows count={5} height={40} tile={24} />}
      {links?.length === 0 && (
        <EmptyState
          icon={<IconFolderOpen size={24} stroke={1.5} />}
          title="You have not linked any storage yet."
          actions={
            <Button variant="filled" component={PathLink} href="/links">
              Link storage
            </Button>
          }
        />
      )}
      <ul className={classes.links}>
        {links?.map((link) => (
          <li key={link.userLinkId}>
            <PathLink className={classes.link} href={link.browseUrl}>
              <FileIcon kind="folder" />
              <span>{link.name}</span>
              <small>{link.group}</small>
            </PathLink>
          </li>
        ))}
        {encryptionRoot && (
          <li>
            <PathLink className={classes.link} href="/account/mysheaf?catid=encryption">
              <FileIcon kind="folder" />
              <span>{encryptionRoot.name}</span>
              <small>Encrypted folders</small>
            </PathLink>
          </li>
        )}
      </ul>
    </Page>
  );
}
