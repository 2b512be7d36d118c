import { type Rect, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useRef } from 'react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { rowsInBox } from '#/features/browse/selection/box-geometry.ts';
import { choose } from '#/features/browse/selection/selection.ts';
import { SelectionBox } from '#/features/browse/selection/SelectionBox.tsx';
import { useBoxSelect } from '#/features/browse/selection/use-box-select.ts';
import { isTouch, rowId, selectModeOf, useListKeys } from '#/features/browse/selection/use-list-keys.ts';
import { formatModified } from '#/lib/format.ts';
import { useSameFunctions } from '#/lib/same-functions.ts';
import { useSettled } from '#/lib/use-settled.ts';
import { templateOf } from './columns.ts';
import { FileRow, type RowHandlers } from './FileRow.tsx';
import { ListHead } from './ListHead.tsx';
import { useAnchor } from './use-anchor.ts';
import { useColumns } from './use-columns.ts';
import { useFolderSizes } from './use-folder-sizes.ts';
import { useRowHeight } from './use-row-height.ts';
import classes from './FileList.module.css';

/** Rows drawn above and below the visible ones, so that scrolling shows no gap. At first only one: the visible rows come sooner. */
const beside = { first: 1, later: 8 } as const;

/** Size of the list that was shown last, from which the next one draws its first rows without waiting to be measured. */
let lastSize: Rect | undefined;

/** A folder's items as a list of rows; renders only visible ones. */
export function FileList(props: FolderContentsProps) {
  const {
    grid,
    name,
    folderUri,
    listing,
    state,
    selection,
    onSelect,
    renaming,
    actions,
    isReadOnly,
    hrefOf,
    revealed,
    drag,
    isCut,
    sharedBy,
  } = props;
  const { count, stale } = state;
  const rowHeight = useRowHeight();
  const isSettled = useSettled();
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised from what it gives
  const rows = useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: isSettled ? beside.later : beside.first,
    scrollPaddingStart: 44,
    scrollPaddingEnd: 76,
    initialRect: lastSize ?? { width: innerWidth, height: innerHeight },
    observeElementRect: (list, onSize) =>
      observeElementRect(list, (size) => {
        lastSize = size;
        onSize(size);
      }),
  });
  const measured = useRef(rowHeight);
  useEffect(() => {
    // Measuring draws every row once more, which the first height does not need.
    if (measured.current === rowHeight) return;
    measured.current = rowHeight;
    rows.measure();
  }, [rows, rowHeight]);

  const virtual = rows.getVirtualItems();
  const { range } = rows;
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  const scrolled = (rows.scrollOffset ?? 0) / rowHeight;
  useEffect(() => listing.look({ first, last, scrolled }), [listing, first, last, scrolled]);

  useAnchor({ grid, listing, selection, first, last, step: rowHeight, columns: 1, isScrolled: scrolled > 0 });
  const onKeyDown = useListKeys({
    ...props,
    perPage: Math.max(1, last - first - 1),
    scrollTo: (index) => rows.scrollToIndex(index),
  });
  useEffect(() => {
    if (revealed !== undefined) rows.scrollToIndex(revealed, { align: 'center' });
  }, [rows, revealed]);
  const inner = useRef<HTMLDivElement>(null);
  const { drawn, handlers } = useBoxSelect({
    ...props,
    inner,
    isBesideNames: true,
    indicesIn: (box) => rowsInBox(box, rowHeight, count),
  });
  const [chosenColumns, setColumns] = useColumns();
  const isChosen = (index: number): boolean => selection.chosen.has(listing.rowAt(index)?.linkUri ?? '');
  const rowHandlers = useSameFunctions<RowHandlers>({
    press(index, event) {
      const item = listing.rowAt(index);
      if (!isTouch(event)) rowHandlers.choose(index, selectModeOf(event));
      else if (selection.chosen.size > 0) rowHandlers.choose(index, 'toggle');
      else if (item) actions.open(item);
    },
    choose: (index, mode) => onSelect((now) => choose(now, index, mode, listing.rowAt)),
  });
  const rowActions = useSameFunctions(actions);
  const sizes = useFolderSizes(folderUri, isSettled && chosenColumns.shown.includes('size') ? state.listedAt : undefined);

  return (
    <div
      ref={grid}
      className={classes.list}
      style={{ '--columns': templateOf(chosenColumns) } as CSSProperties}
      role="grid"
      aria-label={name}
      aria-multiselectable
      aria-rowcount={count + 1}
      aria-activedescendant={selection.cursor >= 0 ? rowId(selection.cursor) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...handlers}
      onFocus={(event) => {
        if (event.target === event.currentTarget) onSelect((now) => (now.cursor < 0 ? { ...now, cursor: 0 } : now));
      }}
    >
      <ListHead {...props} chosen={chosenColumns} onColumns={setColumns} />
      <div className={classes.askbar} data-on={stale || undefined} aria-hidden="true">
        <i />
      </div>
      <div ref={inner} role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {virtual.map(({ index, start }) => {
          const item = listing.rowAt(index);
          const linkUri = item?.linkUri ?? '';
          return (
            <FileRow
              key={item?.linkUri ?? index}
              index={index}
              top={start}
              height={rowHeight}
              item={item}
              modified={item?.modified === undefined ? '' : formatModified(item.modified)}
              isNew={listing.isNew(linkUri)}
              sharedBy={sharedBy(linkUri)}
              href={hrefOf(item?.disambiguatedName ?? '')}
              renaming={renaming?.linkUri === item?.linkUri ? renaming : undefined}
              isChosen={isChosen(index)}
              isChosenAbove={isChosen(index - 1)}
              isChosenBelow={isChosen(index + 1)}
              isCurrent={selection.cursor === index}
              can={state.can}
              handlers={rowHandlers}
              actions={rowActions}
              drag={drag.handlers}
              canLift={drag.canLift}
              canDrop={drag.canDrop}
              isLifted={drag.isLifted(linkUri)}
              isAimedAt={drag.isAimedAt(linkUri)}
              isCut={isCut(linkUri)}
              isReadOnly={isReadOnly}
              columns={chosenColumns.shown}
              folderSize={sizes.get(linkUri)}
            />
          );
        })}
        {drawn && <SelectionBox drawn={drawn} />}
      </div>
    </div>
  );
}
