import type { PublicItem } from '@sheaf/contract';
import { IconArrowDown, IconArrowUp, IconDownload } from '@tabler/icons-react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { OverRow, RowLink } from '#/ui/RowLink.tsx';
import { itemHref } from './item-href.ts';
import { orderQuery, sortable } from './order.ts';
import { type PublicOrder, fileHref, zipHref } from './queries.ts';
import { type ShareAddress, shareHref } from './share-address.ts';
import unseen from '#/ui/unseen.module.css';
import classes from './public.module.css';

type Props = { place: ShareAddress; items: readonly PublicItem[]; order: PublicOrder; viewOnly: boolean };

/** A shared folder's rows: each opens or downloads its item. */
export function PublicList({ place, items, order, viewOnly }: Props) {
  return (
    <div role="table" aria-label="Items">
      <div role="row" className={classes.head}>
        <span role="columnheader">
          <span className={unseen.unseen}>Kind</span>
        </span>
        {sortable.map(({ sort, title }) => {
          const isSorted = order.sort === sort;
          const Arrow = order.order === 'asc' ? IconArrowUp : IconArrowDown;
          return (
            <span
              key={sort}
              role="columnheader"
              className={classes[sort]}
              aria-sort={isSorted ? (order.order === 'asc' ? 'ascending' : 'descending') : 'none'}
            >
              <PathLink
                className={classes.sorter}
                data-on={isSorted || undefined}
                replace
                href={shareHref(place) + orderQuery(order, sort)}
              >
                {title}
                {isSorted && <Arrow size={14} stroke={2} aria-hidden="true" />}
              </PathLink>
            </span>
          );
        })}
        <span role="columnheader">
          <span className={unseen.unseen}>Download</span>
        </span>
      </div>
      {items.map((item) => (
        <Row key={item.path} place={place} item={item} viewOnly={viewOnly} />
      ))}
    </div>
  );
}

function Row({ place, item, viewOnly }: Pick<Props, 'place' | 'viewOnly'> & { item: PublicItem }) {
  const isFolder = item.fileType === 'FOLDER';
  const size = item.size === undefined || isFolder ? '' : formatSize(item.size);
  const modified = item.modified === undefined ? '' : formatModified(item.modified);
  const bytes = isFolder ? zipHref(place.weblinkId, item.path) : fileHref(place.weblinkId, item.path);
  return (
    <div role="row" aria-label={item.name} className={classes.row}>
      <span role="cell" className={classes.kind}>
        <FilePicture
          thumbnailUrl={item.thumbnailUrl}
          size={64}
          instead={<FileIcon kind={fileKindOf(item)} />}
          className={classes.picture}
        />
      </span>
      <span role="cell" className={classes.name}>
        <RowLink className={classes.link} data-folder={isFolder || undefined} href={itemHref(place, item)} title={item.name}>
          {item.name}
        </RowLink>
      </span>
      <span role="cell" className={classes.size}>
        {size}
        <span className={classes.second}>{size !== '' && modified !== '' ? `, ${modified}` : modified}</span>
      </span>
      <span role="cell" className={classes.modified}>
        {modified}
      </span>
      <OverRow role="cell" className={classes.over}>
        {!viewOnly && (
          <a className={classes.take} href={bytes} download={isFolder ? '' : item.name} aria-label={`Download ${item.name}`}>
            <IconDownload size={18} stroke={1.75} aria-hidden="true" />
          </a>
        )}
      </OverRow>
    </div>
  );
}
