import type { Item, ItemOperation, SharedBy } from '@sheaf/contract';
import { type MouseEvent, type ReactNode, memo } from 'react';
import type { Renaming, RowActions } from '#/features/browse/FolderContents.tsx';
import { RowMenu } from '#/features/browse/menus/RowMenu.tsx';
import { RowTick } from '#/features/browse/selection/RowTick.tsx';
import type { SelectMode } from '#/features/browse/selection/selection.ts';
import { rowId } from '#/features/browse/selection/use-list-keys.ts';
import { type DragHandlers, dragSource, dropTarget } from '#/features/browse/transfers/use-row-drag.ts';
import { fileKindOf, typeOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import type { ColumnId } from './columns.ts';
import { ItemLink } from './ItemLink.tsx';
import { RenameField } from './RenameField.tsx';
import { SharedMark } from './SharedMark.tsx';
import { highRow } from './use-row-height.ts';
import classes from './FileList.module.css';

/** Pixels of thumbnails: twice the row's, for high-density screens. */
const pictureSize = 64;

/** What rows call; the same object at each drawing. */
export interface RowHandlers {
  readonly press: (index: number, event: MouseEvent) => void;
  readonly choose: (index: number, mode: SelectMode) => void;
}

type Props = {
  index: number;
  /** Position and height of the row, in px. */
  top: number;
  height: number;
  /** Undefined while the row is loading. */
  item: Item | undefined;
  href: string;
  /** Time of the last change, as it reads today. */
  modified: string;
  isNew: boolean;
  sharedBy: readonly SharedBy[] | undefined;
  /** State of renaming, if any. */
  renaming: Renaming | undefined;
  isChosen: boolean;
  /** Whether the rows above and below are chosen too. */
  isChosenAbove: boolean;
  isChosenBelow: boolean;
  isCurrent: boolean;
  can: ReadonlySet<ItemOperation>;
  handlers: RowHandlers;
  actions: RowActions;
  drag: DragHandlers;
  canLift: boolean;
  canDrop: boolean;
  isLifted: boolean;
  isAimedAt: boolean;
  /** Whether it was cut and not pasted yet. */
  isCut: boolean;
  isReadOnly: boolean;
  columns: readonly ColumnId[];
  /** Bytes below a folder, where they are known. */
  folderSize: number | undefined;
};

/** One file or folder: checkbox, icon, name, size, date, menu. Drawn again only when it looks different. */
export const FileRow = memo(function FileRow({
  index,
  top,
  height,
  item,
  href,
  modified,
  isNew,
  sharedBy,
  renaming,
  isChosen,
  isChosenAbove,
  isChosenBelow,
  isCurrent,
  can,
  handlers,
  actions,
  drag,
  canLift,
  canDrop,
  isLifted,
  isAimedAt,
  isCut,
  isReadOnly,
  columns,
  folderSize,
}: Props) {
  const style = { height, transform: `translateY(${top}px)` };
  if (!item) {
    return (
      <div className={classes.row} style={style} role="row" aria-rowindex={index + 2} aria-busy="true">
        <span role="gridcell" />
        <span role="gridcell" className={classes.icon}>
          <Skeleton width="22px" height={22} />
        </span>
        <span role="gridcell" className={classes.name}>
          <Skeleton width={`${30 + ((index * 17) % 30)}%`} />
        </span>
      </div>
    );
  }
  const isTwoLined = height === highRow;
  const isFolder = item.fileType === 'FOLDER';
  const bytes = item.size ?? (isFolder ? folderSize : undefined);
  const size = bytes === undefined ? '' : formatSize(bytes);
  const cells: Readonly<Record<ColumnId, ReactNode>> = { size, modified, type: typeOf(item) };
  return (
    <div
      id={rowId(index)}
      className={classes.row}
      style={style}
      role="row"
      aria-label={item.name}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-first={!isChosenAbove || undefined}
      data-end={!isChosenBelow || undefined}
      data-current={isCurrent || undefined}
      data-folder={isFolder || undefined}
      data-cut={isCut || undefined}
      {...(canLift && !renaming && dragSource(drag, item, isLifted))}
      {...(canDrop && isFolder && dropTarget(drag, item, isAimedAt))}
      onClick={(event) => handlers.press(index, event)}
      onDoubleClick={() => actions.open(item)}
    >
      <span role="gridcell" className={classes.tick}>
        <RowTick name={item.name} isChosen={isChosen} onToggle={() => handlers.choose(index, 'toggle')} />
      </span>
      <span role="gridcell" className={classes.icon}>
        <FilePicture
          thumbnailUrl={item.thumbnailUrl}
          size={pictureSize}
          instead={<FileIcon kind={fileKindOf(item)} />}
          className={classes.picture}
        />
      </span>
      <span role="gridcell" className={classes.name}>
        {renaming ? (
          <RenameField item={item} renaming={renaming} onEnd={(name, isLeft) => actions.endRename(item, name, isLeft)} />
        ) : (
          <ItemLink item={item} href={href} className={classes.clip}>
            {item.name}
          </ItemLink>
        )}
        {sharedBy && !renaming && <SharedMark by={sharedBy} />}
        {isNew && !renaming && <span className={classes.tag}>New</span>}
      </span>
      {isTwoLined ? (
        <span role="gridcell" className={classes.facts}>
          {[size, modified].filter((fact) => fact !== '').join(', ')}
        </span>
      ) : (
        columns.map((id) => (
          <span key={id} role="gridcell" className={classes.cell} data-column={id}>
            {cells[id]}
          </span>
        ))
      )}
      <span
        role="gridcell"
        className={classes.menu}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {!isReadOnly && (
          <RowMenu item={item} can={can} isChosen={isChosen} onChoose={(mode) => handlers.choose(index, mode)} actions={actions} />
        )}
      </span>
    </div>
  );
});
