import { Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { selectAll } from '#/features/browse/selection/select-all.ts';
import { noSelection } from '#/features/browse/selection/selection.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { type ColumnId, type Columns, bounded, columns, widest } from './columns.ts';
import classes from './FileList.module.css';

type Props = Pick<FolderContentsProps, 'listing' | 'state' | 'view' | 'onView' | 'selection' | 'onSelect' | 'name'> & {
  chosen: Columns;
  onColumns: (change: Columns) => void;
};

/** Pixels that an arrow key changes a column by. */
const keyStep = 8;

/** The list's head: select all, sort by a click, size a column by its edge, choose the columns. */
export function ListHead({ listing, state: { count }, view, onView, selection, onSelect, name, chosen, onColumns }: Props) {
  const isAll = selection.chosen.size > 0 && selection.chosen.size >= count;
  const sorter = (sort: 'name' | ColumnId, title: string) => {
    const isSorted = view.sort === sort;
    const Arrow = view.order === 'asc' ? IconArrowUp : IconArrowDown;
    return (
      <UnstyledButton
        className={classes.sorter}
        data-on={isSorted || undefined}
        onClick={() => onView({ sort, order: isSorted && view.order === 'asc' ? 'desc' : 'asc' })}
      >
        {title}
        {isSorted && <Arrow size={14} stroke={2} aria-hidden="true" />}
      </UnstyledButton>
    );
  };
  const sorting = (sort: 'name' | ColumnId) => (view.sort === sort ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none');
  const resize = (id: ColumnId, width: number): void => onColumns({ ...chosen, widths: { ...chosen.widths, [id]: bounded(id, width) } });
  const toggle = (id: ColumnId): void => {
    const shown = chosen.shown.includes(id) ? chosen.shown.filter((one) => one !== id) : [...chosen.shown, id];
    onColumns({ ...chosen, shown: columns.map((column) => column.id).filter((one) => shown.includes(one)) });
  };
  return (
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
      <span role="columnheader" aria-sort={sorting('name')}>
        {sorter('name', 'Name')}
      </span>
      {columns
        .filter(({ id }) => chosen.shown.includes(id))
        .map(({ id, title, width, least }) => (
          <span key={id} role="columnheader" className={classes.sizedHead} data-column={id} aria-sort={sorting(id)}>
            {/* A separator that takes the focus is a control (ARIA 1.2). */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
            <span
              className={classes.edge}
              role="separator"
              aria-orientation="vertical"
              aria-label={`Width of ${title}`}
              aria-valuenow={chosen.widths[id]}
              aria-valuemin={least}
              aria-valuemax={widest}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              onPointerDown={(event) => followEdge(event, chosen.widths[id], (next) => resize(id, next))}
              onDoubleClick={() => resize(id, width)}
              onKeyDown={(event: KeyboardEvent) => {
                const step = { ArrowLeft: keyStep, ArrowRight: -keyStep }[event.key];
                if (step === undefined || event.altKey) return;
                event.preventDefault();
                resize(id, chosen.widths[id] + step);
              }}
            />
            {sorter(id, title)}
          </span>
        ))}
      <span role="columnheader" className={classes.menuHead}>
        <Menu position="bottom-end" closeOnItemClick={false}>
          <Menu.Target>
            <IconButton label="Columns" withTooltip={false}>
              <IconColumns3 size={16} stroke={1.75} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            {columns.map(({ id, title }) => (
              <Menu.CheckboxItem key={id} checked={chosen.shown.includes(id)} onChange={() => toggle(id)}>
                {title}
              </Menu.CheckboxItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      </span>
    </div>
  );
}

/** Sizes a column while its left edge is dragged. */
function followEdge(event: PointerEvent<HTMLElement>, width: number, onWidth: (width: number) => void): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const edge: HTMLElement = event.currentTarget;
  const from = event.clientX;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  edge.setPointerCapture(event.pointerId);
  edge.addEventListener('pointermove', ({ clientX }) => onWidth(width - (clientX - from)), { signal: ending.signal });
  edge.addEventListener('pointerup', end, { signal: ending.signal });
  edge.addEventListener('pointercancel', end, { signal: ending.signal });
}
