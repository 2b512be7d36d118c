import { IconGripVertical } from '@tabler/icons-react';
import { type DragEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import classes from './places.module.css';

interface Entry {
  readonly key: string;
  readonly name: string;
}

type Props<One extends Entry> = {
  entries: readonly One[];
  /** Called with the keys in their new order. */
  onOrder: (keys: readonly string[]) => void;
  /** Attributes of an entry's row beside those for sorting. */
  rowProps: (entry: One) => object;
  children: (entry: One) => ReactNode;
};

const draggedType = 'application/x-sheaf-order';

const moved = (keys: readonly string[], key: string, to: number): readonly string[] => {
  const others = keys.filter((one) => one !== key);
  return [...others.slice(0, to), key, ...others.slice(to)];
};

/** A list that is sorted by dragging with the mouse, or at an entry's grip by touch or with the arrow keys. */
export function Sortable<One extends Entry>({ entries, onOrder, rowProps, children }: Props<One>) {
  const [lifted, setLifted] = useState<string>();
  const [order, setOrder] = useState<readonly string[]>();
  const list = useRef<HTMLUListElement>(null);
  const keys = entries.map(({ key }) => key);
  const shown = order ? entries.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key)) : entries;
  const over = (key: string, at: number): void => {
    if (lifted !== undefined && lifted !== key) setOrder(moved(order ?? keys, lifted, at));
  };
  const end = (): void => {
    setLifted(undefined);
    setOrder(undefined);
  };
  const step = (key: string, by: number): void => {
    const to = keys.indexOf(key) + by;
    if (to >= 0 && to < keys.length) onOrder(moved(keys, key, to));
  };
  const dragging = (key: string) => ({
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(draggedType, key);
      dataTransfer.effectAllowed = 'move';
      setLifted(key);
    },
    onDragEnd: end,
  });
  // Browsers offer no drag and drop by touch, so that the grip handles it and keeps the page from scrolling.
  const touching = (key: string) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setLifted(key);
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (lifted !== key) return;
      const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
      const at = rows.findIndex(({ top, bottom }) => clientY >= top && clientY < bottom);
      const under = shown[at];
      if (under) over(under.key, at);
    },
    onPointerUp: () => {
      if (lifted === key && order) onOrder(order);
      if (lifted === key) end();
    },
    onPointerCancel: end,
  });
  return (
    <ul ref={list} className={classes.list}>
      {shown.map((entry, at) => {
        const extra = rowProps(entry) as { onDragOver?: (event: DragEvent) => void; onDrop?: (event: DragEvent) => void };
        return (
          <li
            key={entry.key}
            className={classes.row}
            {...extra}
            {...dragging(entry.key)}
            data-lifted={lifted === entry.key || undefined}
            onDragOver={(event) => {
              if (lifted === undefined) return extra.onDragOver?.(event);
              event.preventDefault();
              over(entry.key, at);
            }}
            onDrop={(event) => {
              if (lifted === undefined) return extra.onDrop?.(event);
              event.preventDefault();
              if (order) onOrder(order);
            }}
          >
            {children(entry)}
            <button
              type="button"
              className={classes.grip}
              aria-label={`Move ${entry.name}, ${at + 1} of ${keys.length}`}
              aria-keyshortcuts="ArrowUp ArrowDown"
              {...touching(entry.key)}
              onKeyDown={(event) => {
                const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                if (by === undefined) return;
                event.preventDefault();
                step(entry.key, by);
              }}
            >
              <IconGripVertical size={16} stroke={1.75} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
