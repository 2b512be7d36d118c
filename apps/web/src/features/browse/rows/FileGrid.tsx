import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { cellsInBox } from '#/features/browse/selection/box-geometry.ts';
import { choose } from '#/features/browse/selection/selection.ts';
import { SelectionBox } from '#/features/browse/selection/SelectionBox.tsx';
import { SelectTick } from '#/features/browse/selection/SelectTick.tsx';
import { useBoxSelect } from '#/features/browse/selection/use-box-select.ts';
import { isTouch, selectModeOf, rowId, useListKeys } from '#/features/browse/selection/use-list-keys.ts';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import { ItemLink } from './ItemLink.tsx';
import { RenameField } from './RenameField.tsx';
import { SharedMark } from './SharedMark.tsx';
import { useAnchor } from './use-anchor.ts';
import classes from './FileGrid.module.css';

const cell = { width: 156, height: 148, gap: 8 } as const;
/** Pixels of thumbnails: twice the cell's, for high-density screens. */
const pictureSize = 256;

/** A folder's items as a grid of cards; renders only visible ones. */
export function FileGrid(props: FolderContentsProps) {
  const { grid, name, listing, state, selection, onSelect, renaming, actions, hrefOf, revealed, drag, isCut, sharedBy } = props;
  const { count } = state;
  const { ref: sized, width } = useElementSize();
  const inner = useRef<HTMLDivElement>(null);
  const sizedInner = useMergedRef(sized, inner);
  const columns = Math.max(2, Math.floor((width + cell.gap) / (cell.width + cell.gap)));
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised from what it gives
  const rows = useVirtualizer({
    // Renders nothing until the width is known, so that no card moves.
    count: width === 0 ? 0 : Math.ceil(count / columns),
    getScrollElement: () => grid.current,
    estimateSize: () => cell.height + cell.gap,
    overscan: 3,
    scrollPaddingEnd: 76,
  });
  const first = (rows.range?.startIndex ?? 0) * columns;
  const last = ((rows.range?.endIndex ?? 0) + 1) * columns - 1;
  const scrolled = ((rows.scrollOffset ?? 0) / (cell.height + cell.gap)) * columns;
  useEffect(() => listing.look({ first, last, scrolled }), [listing, first, last, scrolled]);
  useAnchor({ grid, listing, selection, first, last, step: cell.height + cell.gap, columns, isScrolled: scrolled > 0 });
  const onKeyDown = useListKeys({
    ...props,
    columns,
    perPage: Math.max(columns, last - first),
    scrollTo: (index) => rows.scrollToIndex(Math.floor(index / columns)),
  });

  const { drawn, handlers } = useBoxSelect({
    ...props,
    inner,
    indicesIn: (box) => cellsInBox(box, { columns, width, height: cell.height, gap: cell.gap }, count),
  });

  const isLaidOut = width > 0;
  useEffect(() => {
    if (revealed !== undefined && isLaidOut) rows.scrollToIndex(Math.floor(revealed / columns), { align: 'center' });
  }, [rows, revealed, isLaidOut, columns]);

  return (
    <div
      ref={grid}
      className={classes.grid}
      role="grid"
      aria-label={name}
      aria-multiselectable
      aria-rowcount={Math.ceil(count / columns)}
      aria-activedescendant={selection.cursor >= 0 ? rowId(selection.cursor) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...handlers}
    >
      <div ref={sizedInner} role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index: row, start }) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className={classes.row}
            style={{
              transform: `translateY(${start}px)`,
              height: cell.height,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              gap: cell.gap,
            }}
          >
            {Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => {
              const index = row * columns + column;
              const item = listing.rowAt(index);
              if (!item) {
                return (
                  <div key={index} role="gridcell" className={classes.card} aria-busy="true">
                    <Skeleton width="40px" height={40} />
                    <Skeleton width="60%" />
                  </div>
                );
              }
              return (
                <div
                  key={item.linkUri}
                  id={rowId(index)}
                  role="gridcell"
                  className={classes.card}
                  aria-label={item.name}
                  aria-selected={selection.chosen.has(item.linkUri)}
                  data-current={selection.cursor === index || undefined}
                  data-cut={isCut(item.linkUri) || undefined}
                  {...(renaming?.linkUri !== item.linkUri && drag.source(item))}
                  {...(item.fileType === 'FOLDER' && drag.target(item))}
                  onClick={(event) => {
                    if (isTouch(event) && selection.chosen.size === 0) actions.open(item);
                    else onSelect((now) => choose(now, index, isTouch(event) ? 'toggle' : selectModeOf(event), listing.rowAt));
                  }}
                  onDoubleClick={() => actions.open(item)}
                >
                  <FilePicture
                    thumbnailUrl={item.thumbnailUrl}
                    size={pictureSize}
                    instead={<FileIcon kind={fileKindOf(item)} size={44} />}
                    className={classes.picture}
                  />
                  {renaming?.linkUri === item.linkUri ? (
                    <RenameField item={item} renaming={renaming} onEnd={(to, isLeft) => actions.endRename(item, to, isLeft)} />
                  ) : (
                    <ItemLink item={item} href={hrefOf(item.disambiguatedName)} className={classes.name}>
                      {item.name}
                    </ItemLink>
                  )}
                  <span className={classes.size}>
                    {item.size === undefined ? '' : formatSize(item.size)}
                    <SharedMark by={sharedBy(item.linkUri)} isSmall />
                  </span>
                  <SelectTick item={item} index={index} listed={props} />
                </div>
              );
            })}
          </div>
        ))}
        {drawn && <SelectionBox drawn={drawn} />}
      </div>
    </div>
  );
}
