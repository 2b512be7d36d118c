import { Button } from '@mantine/core';
import { type FolderUsage, type UsedBy, parentUri, parseLinkUri } from '@sheaf/contract';
import { IconChartTreemap, IconCopyCheck, IconFolderOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { folderHref, folderText, itemHref } from '#/lib/files/found-address.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { usageOf } from './queries.ts';
import { Searchable } from './Searchable.tsx';
import { Treemap } from './Treemap.tsx';
import { fileCount, knownText } from './words.ts';
import classes from './usage.module.css';

/** What uses the room of all links, of a link or of a folder. */
export function UsagePage() {
  const { linkUri } = useQueryParams();
  const { data, error, refetch, isFetching } = useQuery(usageOf(linkUri));
  if (error && !data)
    return (
      <Page>
        <ErrorState level={1} title="The usage could not be shown" message={errorText(error)} onRetry={() => void refetch()} />
      </Page>
    );
  return (
    <Page>
      <PageHead title="Usage" line={data ? `${formatSize(data.bytes)} in ${fileCount(data.files)}. ${knownText(data)}` : 'Counting …'}>
        <div className={classes.actions}>
          {data?.link && (
            <Button component={PathLink} href={folderHref(data.link, data)} leftSection={<IconFolderOpen size={16} stroke={1.75} />}>
              Open folder
            </Button>
          )}
          <Button component={PathLink} href={duplicatesHref(data)} leftSection={<IconCopyCheck size={16} stroke={1.75} />}>
            Duplicates
          </Button>
        </div>
      </PageHead>
      {data ? (
        <div aria-busy={isFetching}>
          <Crumbs usage={data} linkUri={linkUri} />
          {data.bytes === 0 ? <Nothing usage={data} /> : <Treemap usage={data} hrefOf={(item) => hrefOf(data, item)} />}
          <Largest usage={data} />
          {data.link && data.folder === '/' && <Searchable userLinkId={data.link.userLinkId} />}
        </div>
      ) : (
        <SkeletonRows count={8} height={44} />
      )}
    </Page>
  );
}

const usageHref = (linkUri: string): string => withQuery('/usage', { linkUri });
const duplicatesHref = (usage: FolderUsage | undefined): string =>
  withQuery('/duplicates', usage?.link ? { link: usage.link.userLinkId } : {});

/** A folder leads to its own usage, a file to its page. */
function hrefOf({ link, folder }: FolderUsage, { linkUri, isFolder, name }: Pick<UsedBy, 'linkUri' | 'isFolder' | 'name'>): string {
  return isFolder || !link ? usageHref(linkUri) : itemHref(link, { folder, name });
}

/** The way from all links to the folder. */
function Crumbs({ usage: { link }, linkUri }: { usage: FolderUsage; linkUri: string | undefined }) {
  if (!link || linkUri === undefined) return null;
  const uris: string[] = [];
  for (let uri: string | undefined = linkUri; uri !== undefined; uri = parentUri(uri)) uris.unshift(uri);
  const nameAt = (uri: string): string => parseLinkUri(uri)?.path.split('/').pop() || link.name;
  return (
    <nav className={classes.crumbs} aria-label="Folders">
      <PathLink href="/usage">All links</PathLink>
      {uris.map((uri) => (
        <span key={uri}>
          <span aria-hidden="true"> / </span>
          {uri === linkUri ? <b aria-current="page">{nameAt(uri)}</b> : <PathLink href={usageHref(uri)}>{nameAt(uri)}</PathLink>}
        </span>
      ))}
    </nav>
  );
}

function Nothing({ usage: { foldersKnown, link } }: { usage: FolderUsage }) {
  return (
    <EmptyState
      icon={<IconChartTreemap size={24} stroke={1.5} />}
      title={foldersKnown === 0 ? 'Not looked at yet' : 'No files are known here'}
    >
      {foldersKnown > 0
        ? 'The folders that Sheaf knows hold no files with a size.'
        : link
          ? 'Open this folder once: Sheaf counts what it has seen.'
          : 'Open your links once: Sheaf counts what it has seen.'}
    </EmptyState>
  );
}

/** The largest files below the folder, each with the way to its folder. */
function Largest({ usage: { link, largest } }: { usage: FolderUsage }) {
  if (!link || largest.length === 0) return null;
  return (
    <section className={classes.largest} aria-labelledby="largest">
      <h2 id="largest">Largest files</h2>
      <ul>
        {largest.map((item) => (
          <li key={item.linkUri}>
            <FileIcon kind={fileKindOf(item)} />
            <span className={classes.texts}>
              <PathLink href={itemHref(link, item)}>{item.name}</PathLink>
              <PathLink className={classes.folder} href={folderHref(link, item)}>
                {folderText(item) || link.name}
              </PathLink>
            </span>
            <span className={classes.date}>{item.modified !== undefined && formatModified(item.modified)}</span>
            <span className={classes.size}>{formatSize(item.size ?? 0)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
