import { Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { selectAll } from '#/features/browse/selection/select-all.ts';
import { choose, noSelection } from '#/features/browse/selection/selection.ts';
import { rowId, useListKeys } from '#/features/browse/selection/use-list-keys.ts';
import { FileRow } from './FileRow.tsx';
import { useAnchor } from './use-anchor.ts';
import { useRowHeight } from './use-row-height.ts';
import classes from './FileList.module.css';

const heads = [
  { sort: 'name', title: 'Name', className: classes.nameHead },
  { sort: 'size', title: 'Size', className: classes.sizeHead },
  { sort: 'modified', title: 'Modified', className: classes.modifiedHead },
] as const;

/** A folder's items as a list of rows; renders only visible ones. */
export function FileList(props: FolderContentsProps) {
  const { grid, name, listing, state, view, onView, selection, onSelect, renaming, actions, isReadOnly, hrefOf, revealed, drag, isCut } =
    props;
  const { count, stale } = state;
  const rowHeight = useRowHeight();
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised from what it gives
  const rows = useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: 44,
    scrollPaddingEnd: 76,
  });
  useEffect(() => rows.measure(), [rows, rowHeight]);

  const virtual = rows.getVirtualItems();
  const { range } = rows;
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  const scrolled = (rows.scrollOffset ?? 0) / rowHeight;
  useEffect(() => listing.look({ first, last, scrolled }), [listing, first, last, scrolled]);

  useAnchor({ grid, listing, selection, first, last, step: rowHeight, columns: 1 });
  const onKeyDown = useListKeys({
    ...props,
    perPage: Math.max(1, last - first - 1),
    scrollTo: (index) => rows.scrollToIndex(index),
  });
  useEffect(() => {
    if (revealed !== undefined) rows.scrollToIndex(revealed, { align: 'center' });
  }, [rows, revealed]);
  const isAll = selection.chosen.size > 0 && selection.chosen.size >= count;

  return (
    <div
      ref={grid}
      className={classes.list}
      role="grid"
      aria-label={name}
      aria-multiselectable
      aria-rowcount={count + 1}
      aria-activedescendant={selection.cursor >= 0 ? rowId(selection.cursor) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.target === event.currentTarget) onSelect((now) => (now.cursor < 0 ? { ...now, cursor: 0 } : now));
      }}
    >
      <div className={classes.head} role="row" aria-rowindex={1}>
        <span role="columnheader" className={classes.tick}>
          <Checkbox
            aria-label="Select all"
            checked={isAll}
            indeterminate={selection.chosen.size > 0 && !isAll}
            onChange={() => {
              if (selection.chosen.size > 0) return onSelect((now) => ({ ...noSelection, cursor: now.cursor }));
              selectAll({ listing, count, onSelect, name });
            }}
          />
        </span>
        <span role="columnheader">
          <VisuallyHidden>Kind</VisuallyHidden>
        </span>
        {heads.map(({ sort, title, className }) => {
          const isSorted = view.sort === sort;
          const Arrow = view.order === 'asc' ? IconArrowUp : IconArrowDown;
          return (
            <span
              key={sort}
              role="columnheader"
              className={className}
              aria-sort={isSorted ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none'}
            >
              <UnstyledButton
                className={classes.sorter}
                data-on={isSorted || undefined}
                onClick={() => onView({ sort, order: isSorted && view.order === 'asc' ? 'desc' : 'asc' })}
              >
                {title}
                {isSorted && <Arrow size={14} stroke={2} aria-hidden="true" />}
              </UnstyledButton>
            </span>
          );
        })}
        <span role="columnheader">
          <VisuallyHidden>Menu</VisuallyHidden>
        </span>
      </div>
      <div className={classes.askbar} data-on={stale || undefined} aria-hidden="true">
        <i />
      </div>
      <div role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {virtual.map(({ index, start }) => (
          <FileRow
            key={listing.rowAt(index)?.linkUri ?? index}
            index={index}
            top={start}
            height={rowHeight}
            item={listing.rowAt(index)}
            isNew={listing.isNew(listing.rowAt(index)?.linkUri ?? '')}
            href={hrefOf(listing.rowAt(index)?.disambiguatedName ?? '')}
            renaming={renaming?.linkUri === listing.rowAt(index)?.linkUri ? renaming : undefined}
            isChosen={(at) => selection.chosen.has(listing.rowAt(at)?.linkUri ?? '')}
            isCurrent={selection.cursor === index}
            hasSelection={selection.chosen.size > 0}
            can={state.can}
            onChoose={(mode) => onSelect((now) => choose(now, index, mode, listing.rowAt))}
            actions={actions}
            drag={drag}
            isCut={isCut(listing.rowAt(index)?.linkUri ?? '')}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
    </div>
  );
}
