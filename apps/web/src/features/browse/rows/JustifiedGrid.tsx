import { useElementSize, useMediaQuery, useMergedRef } from '@mantine/hooks';
import type { Item } from '@sheaf/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { picturesInBox } from '#/features/browse/selection/box-geometry.ts';
import { choose } from '#/features/browse/selection/selection.ts';
import { SelectionBox } from '#/features/browse/selection/SelectionBox.tsx';
import { SelectTick } from '#/features/browse/selection/SelectTick.tsx';
import { useBoxSelect } from '#/features/browse/selection/use-box-select.ts';
import { isTouch, selectModeOf, rowId, useListKeys } from '#/features/browse/selection/use-list-keys.ts';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import { ItemLink } from './ItemLink.tsx';
import { type JustifiedRow, justify, narrowest, rowOf, stretch, widest, widthsOf } from './justify.ts';
import { RenameField } from './RenameField.tsx';
import { type Ratios, useRatios } from './use-ratios.ts';
import classes from './JustifiedGrid.module.css';

const gap = 6;
/** Row height in px on wide and on narrow screens. */
const [high, low] = [196, 128];
/** Aspect ratio of items without a picture, and of pictures that have not loaded. */
const [square, unknown] = [1, 1.4];
/** Pixels of thumbnails: a row's height on a high-density screen. */
const pictureSize = 512;
/** Milliseconds within which the first pictures may change the layout. */
const settling = 1200;

/** A folder's items as pictures in rows of equal width; renders only visible ones. */
export function JustifiedGrid(props: FolderContentsProps) {
  const { grid, name, listing, state, selection, onSelect, renaming, actions, hrefOf, revealed, drag, isCut } = props;
  const { count } = state;
  const isNarrow = useMediaQuery('(max-width: 699px)', matchMedia('(max-width: 699px)').matches);
  const { ref: sized, width } = useElementSize();
  const inner = useRef<HTMLDivElement>(null);
  const sizedInner = useMergedRef(sized, inner);
  const ratios = useRatios();
  const ratioOf = (item: Item | undefined): number =>
    item?.thumbnailUrl === undefined ? (item ? square : unknown) : (ratios.of(item.thumbnailUrl) ?? unknown);
  const rows = useRows(width, { count, height: isNarrow ? low : high, ratioAt: (index) => ratioOf(listing.rowAt(index)), ratios });
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised from what it gives
  const virtual = useVirtualizer({
    count: rows.now.length,
    getScrollElement: () => grid.current,
    estimateSize: (index) => (rows.now[index]?.height ?? high) + gap,
    overscan: 3,
    scrollPaddingEnd: 76,
  });
  useEffect(() => virtual.measure(), [virtual, rows.now]);
  const first = rows.now[virtual.range?.startIndex ?? 0]?.first ?? 0;
  const lastRow = virtual.range?.endIndex ?? 0;
  const last = (rows.now[lastRow]?.end ?? 1) - 1;
  const offset = virtual.scrollOffset ?? 0;
  const scrolled = rows.now.find(({ top, height }) => top + height > offset)?.first ?? 0;
  useEffect(
    () => listing.look({ first, last, scrolled: offset > 0 ? Math.max(1, scrolled) : 0 }),
    [listing, first, last, scrolled, offset],
  );
  useEffect(() => rows.seen(lastRow), [rows, lastRow]);
  const current = rows.now[rowOf(rows.now, Math.max(0, selection.cursor))];
  const onKeyDown = useListKeys({
    ...props,
    columns: current ? Math.max(2, current.end - current.first) : 2,
    perPage: Math.max(2, last - first),
    scrollTo: (index) => virtual.scrollToIndex(rowOf(rows.now, index)),
  });

  const isShort = (row: JustifiedRow): boolean => row === rows.now.at(-1) && row.height <= (isNarrow ? low : high);
  const shapeOf = (index: number): number => Math.min(widest, Math.max(narrowest, ratioOf(listing.rowAt(index))));
  const { drawn, handlers } = useBoxSelect({
    ...props,
    inner,
    indicesIn: (box) => picturesInBox(box, rows.now, (row) => widthsOf(row, shapeOf, { width, gap }, isShort(row)), gap),
  });

  const revealedRow = revealed === undefined ? -1 : rowOf(rows.now, revealed);
  useEffect(() => {
    if (revealedRow >= 0) virtual.scrollToIndex(revealedRow, { align: 'center' });
  }, [virtual, revealedRow]);

  return (
    <div
      ref={grid}
      className={classes.grid}
      role="grid"
      aria-label={name}
      aria-multiselectable
      aria-rowcount={rows.now.length}
      aria-activedescendant={selection.cursor >= 0 ? rowId(selection.cursor) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...handlers}
    >
      <div ref={sizedInner} role="rowgroup" className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index: number, start }) => {
          const row = rows.now[number];
          return (
            row && (
              <div
                key={row.first}
                role="row"
                aria-rowindex={number + 1}
                className={classes.row}
                data-short={isShort(row) || undefined}
                style={{ transform: `translateY(${start}px)`, height: row.height, gap }}
              >
                {Array.from({ length: row.end - row.first }, (_, column) => {
                  const index = row.first + column;
                  const item = listing.rowAt(index);
                  const ratio = shapeOf(index);
                  const style = { flexGrow: ratio, flexBasis: ratio * row.height, maxWidth: ratio * row.height * stretch };
                  if (!item) return <div key={index} role="gridcell" className={classes.cell} style={style} aria-busy="true" />;
                  return (
                    <div
                      key={item.linkUri}
                      id={rowId(index)}
                      role="gridcell"
                      className={classes.cell}
                      style={style}
                      aria-label={item.name}
                      aria-selected={selection.chosen.has(item.linkUri)}
                      data-current={selection.cursor === index || undefined}
                      data-cut={isCut(item.linkUri) || undefined}
                      {...(renaming?.linkUri !== item.linkUri && drag.source(item))}
                      {...(item.fileType === 'FOLDER' && drag.target(item))}
                      onClick={(event: MouseEvent) => {
                        const mode = selectModeOf(event);
                        // A click opens a picture, unless items are being selected.
                        if (selection.chosen.size === 0 && mode === 'only') actions.open(item);
                        else onSelect((now) => choose(now, index, isTouch(event) || mode === 'only' ? 'toggle' : mode, listing.rowAt));
                      }}
                    >
                      <ItemLink item={item} href={hrefOf(item.disambiguatedName)} className={classes.face}>
                        <Face item={item} ratios={ratios} />
                      </ItemLink>
                      {renaming?.linkUri === item.linkUri && (
                        <span className={classes.renaming}>
                          <RenameField item={item} renaming={renaming} onEnd={(to, isLeft) => actions.endRename(item, to, isLeft)} />
                        </span>
                      )}
                      <SelectTick item={item} index={index} listed={props} />
                    </div>
                  );
                })}
              </div>
            )
          );
        })}
        {drawn && <SelectionBox drawn={drawn} />}
      </div>
    </div>
  );
}

/** An item's picture; without one, or until it has loaded, the icon of its kind and its name. */
function Face({ item, ratios }: { item: Item; ratios: Ratios }) {
  const { thumbnailUrl } = item;
  return (
    <FilePicture
      className={classes.picture}
      thumbnailUrl={thumbnailUrl}
      size={pictureSize}
      isEager
      onLoad={(picture) => thumbnailUrl !== undefined && ratios.note(thumbnailUrl, picture)}
      caption={<span className={classes.caption}>{item.name}</span>}
      instead={
        <span className={classes.plain}>
          <FileIcon kind={fileKindOf(item)} size={40} />
          <span className={classes.name}>{item.name}</span>
        </span>
      }
    />
  );
}

interface Laid {
  readonly width: number;
  readonly count: number;
  readonly height: number;
  readonly version: number;
  readonly rows: readonly JustifiedRow[];
}

/**
 * The rows, laid out again when the width or the number of items changes. Loaded pictures change the layout of rows that were not visible yet;
 * visible rows change only in the first moment, so that nothing moves under the pointer.
 */
function useRows(
  width: number,
  { count, height, ratioAt, ratios }: { count: number; height: number; ratioAt: (index: number) => number; ratios: Ratios },
) {
  const [laid, setLaid] = useState<Laid>();
  const [lastSeen, setLastSeen] = useState(-1);
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (width === 0) return;
    const timer = setTimeout(() => setSettled(true), settling);
    return () => clearTimeout(timer);
  }, [width]);
  if (width > 0 && (laid?.width !== width || laid.height !== height || laid.count !== count || laid.version !== ratios.version)) {
    const isSameSpace = laid?.width === width && laid.height === height;
    // The last row was not stretched, so it cannot stay when items follow.
    const kept = isSameSpace && isSettled ? laid.rows.slice(0, Math.min(lastSeen + 1, laid.rows.length - 1)) : [];
    const fitting = kept.filter((row) => row.end <= count);
    const rows = justify(count, ratioAt, { width, height, gap }, fitting);
    setLaid({ width, count, height, version: ratios.version, rows });
  }
  return {
    now: laid?.rows ?? [],
    /** Rows up to this one have been visible. */
    seen: (row: number): void => {
      if (row > lastSeen) setLastSeen(row);
    },
  };
}
