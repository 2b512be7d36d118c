import { IconDownload, IconFolderOpen, IconLayoutDashboard, IconList } from '@tabler/icons-react';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useKnown } from '#/lib/http/question.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { ButtonLink } from '#/ui/button/Button.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { FolderFile } from './FolderFile.tsx';
import { orderOf } from './order.ts';
import type { FileView } from './PublicFile.tsx';
import { PublicGallery } from './PublicGallery.tsx';
import { PublicList } from './PublicList.tsx';
import { PublicShell } from './PublicShell.tsx';
import { hasMoreRows, publicRows, zipHref } from './queries.ts';
import { Refusal } from './Refusal.tsx';
import { type ShareAddress, foldersDownTo, shareHref } from './share-address.ts';
import { useMoreOnScroll } from './use-more-on-scroll.ts';
import classes from './public.module.css';

const views = [
  { view: 'list', title: 'List', Icon: IconList },
  { view: 'gallery', title: 'Gallery', Icon: IconLayoutDashboard },
] as const;

type Props = {
  place: ShareAddress;
  shareName: string;
  /** Whether visitors may look, but not download. */
  viewOnly: boolean;
  View: FileView;
};

/** A shared folder or one inside it: its rows or pictures, and a zip of all. `file` in the address names the open file. */
export function PublicFolder({ place, shareName, viewOnly, View }: Props) {
  const params = useQueryParams();
  const order = orderOf(params);
  const question = publicRows(place.weblinkId, place.path, order);
  const { data, error, asking, failed } = useKnown(question);
  const isMoreWanted = data !== undefined && hasMoreRows(data) && asking === undefined && failed !== 'more' && params['file'] === undefined;
  useMoreOnScroll(isMoreWanted, () => void question.ask('more'));

  // A share may expire or get another password while it is open.
  const isOver = error instanceof CallError && (error.is('WEBLINK_GONE') || error.is('WEBLINK_PASSWORD_NEEDED'));
  if (error !== undefined && (!data || isOver)) {
    const again = (): void => void question.ask();
    return <Refusal weblinkId={place.weblinkId} error={error} onRetry={again} onOpened={again} />;
  }
  const items = data?.flatMap((page) => page.items);
  if (params['file'] !== undefined)
    return <FolderFile place={place} name={params['file']} beside={items ?? []} viewOnly={viewOnly} View={View} />;

  const { total, stale } = data?.[0] ?? {};
  const folders = foldersDownTo(place.path, shareName);
  const isEmpty = items?.length === 0 && stale !== true;
  return (
    <PublicShell>
      <header className={classes.header}>
        <span className={classes.big}>
          <FileIcon kind="folder" size={32} />
        </span>
        <div className={classes.title}>
          {folders.length > 1 && (
            <nav aria-label="Breadcrumb" className={classes.crumbs}>
              {folders.slice(0, -1).map((folder) => (
                <PathLink key={folder.path} href={shareHref({ ...place, path: folder.path })}>
                  {folder.name}
                </PathLink>
              ))}
            </nav>
          )}
          <h1>{folders.at(-1)?.name}</h1>
          <p>{total === undefined ? ' ' : total === 1 ? '1 item' : `${total.toLocaleString()} items`}</p>
        </div>
        <span className={classes.views} role="group" aria-label="View">
          {views.map(({ view, title, Icon }) => (
            <PathLink
              key={view}
              href={shareHref({ ...place, view })}
              className={classes.view}
              aria-label={title}
              title={title}
              aria-current={view === place.view ? 'true' : undefined}
            >
              <Icon size={18} stroke={1.75} />
            </PathLink>
          ))}
        </span>
        {!isEmpty && !viewOnly && (
          <ButtonLink
            className={classes.main}
            variant="filled"
            href={zipHref(place.weblinkId, place.path)}
            download
            leftSection={<IconDownload size={16} stroke={1.75} />}
          >
            Download all
          </ButtonLink>
        )}
      </header>
      {(!items || (items.length === 0 && !isEmpty)) && <SkeletonRows count={8} height={40} tile={24} />}
      {isEmpty && <EmptyState icon={<IconFolderOpen size={24} stroke={1.5} />} title="This folder is empty" />}
      {items &&
        items.length > 0 &&
        (place.view === 'gallery' ? (
          <PublicGallery place={place} items={items} />
        ) : (
          <PublicList place={place} items={items} order={order} viewOnly={viewOnly} />
        ))}
      {asking === 'more' && <SkeletonRows count={2} height={40} tile={24} />}
      {failed === 'more' && (
        <ErrorState title="The rest cannot be shown" message={errorText(error)} onRetry={() => void question.ask('more')} />
      )}
    </PublicShell>
  );
}
