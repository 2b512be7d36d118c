import { type DragEvent, type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { browseErrorText } from '#/features/browse/error-texts.ts';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import type { Box } from './box-geometry.ts';
import { type Selection, withBox } from './selection.ts';

/** Pixels that the pointer moves before a press becomes a box. */
const slack = 4;
/** Height of the zones at both edges in which the list scrolls, in px, and its speed at their ends, in px a second. */
const [edge, fastest] = [36, 1200];

type Options = Pick<FolderContentsProps, 'grid' | 'listing' | 'selection' | 'onSelect' | 'name'> & {
  /** The element that holds all rows. */
  readonly inner: RefObject<HTMLElement | null>;
  /** Whether a press beside the name of a row begins a box; in other layouts only one between the items does. */
  readonly isBesideNames?: boolean;
  /** The items that a box touches. */
  readonly indicesIn: (box: Box) => readonly number[];
};

/** A box under way. */
export interface DrawnBox {
  readonly box: Box;
  /** Position of the pointer in the window. */
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

/**
 * Selects the items in a box drawn with the mouse or a pen: what is touched replaces the selection, or with Ctrl or Shift joins it. The list scrolls
 * while the pointer is near its edges, Esc restores the former selection. A finger scrolls as always. A press without movement on empty space
 * clears the selection.
 */
export function useBoxSelect(options: Options) {
  const [drawn, setDrawn] = useState<DrawnBox>();
  const latest = useRef(options);
  useEffect(() => void (latest.current = options));
  /** Ends the press under way, if any. */
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = (event: ReactPointerEvent): void => {
    const { grid, inner, selection } = options;
    const [list, rows] = [grid.current, inner.current];
    if (!list || !rows || event.button !== 0 || event.pointerType === 'touch' || !isFree(event, list, rows, options.isBesideNames)) return;
    stop.current?.();
    const isAdding = event.ctrlKey || event.metaKey || event.shiftKey;
    const onRow = rowOf(event.target) !== undefined;
    stop.current = drawBox({
      list,
      rows,
      from: event,
      indicesIn: (box) => latest.current.indicesIn(box),
      onDraw(box, touched, { x, y }) {
        const { onSelect, listing } = latest.current;
        onSelect(() => withBox(selection, touched, isAdding, listing.rowAt));
        setDrawn({ box, x, y, count: touched.length });
        return touched.every((index) => listing.rowAt(index) !== undefined);
      },
      onEnd(end, touched) {
        stop.current = undefined;
        setDrawn(undefined);
        if (end === 'canceled') latest.current.onSelect(() => selection);
        else if (end === 'unmoved' && !onRow && !isAdding) latest.current.onSelect((now) => ({ ...now, chosen: new Map() }));
        else if (end === 'drawn') takeAll(latest.current, selection, touched, isAdding);
      },
    });
  };
  return {
    drawn,
    handlers: {
      onPointerDown,
      /** A row that a box starts on is not dragged. */
      onDragStartCapture: (event: DragEvent): void => {
        if (!stop.current) return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

/** Selects what a box touched, after loading the rows that were scrolled past too fast. */
function takeAll({ listing, onSelect, name }: Options, before: Selection, touched: readonly number[], isAdding: boolean): void {
  if (touched.every((index) => listing.rowAt(index) !== undefined)) return;
  const count = touched.reduce((most, index) => Math.max(most, index + 1), 0);
  listing
    .loadUpTo(count, AbortSignal.timeout(60_000))
    .then(() => onSelect(() => withBox(before, touched, isAdding, listing.rowAt)))
    .catch((error: unknown) => notifyError(browseErrorText(name, error)));
}

interface Drawing {
  readonly list: HTMLElement;
  readonly rows: HTMLElement;
  readonly from: { readonly clientX: number; readonly clientY: number };
  readonly indicesIn: (box: Box) => readonly number[];
  /** Returns whether everything touched is loaded. */
  readonly onDraw: (box: Box, touched: readonly number[], pointer: { readonly x: number; readonly y: number }) => boolean;
  readonly onEnd: (end: 'unmoved' | 'drawn' | 'canceled', touched: readonly number[]) => void;
}

/** Follows a press until the pointer is released; returns what ends it early. */
function drawBox({ list, rows, from, indicesIn, onDraw, onEnd }: Drawing): () => void {
  const place = ({ x, y }: { readonly x: number; readonly y: number }) => {
    const { left, top } = rows.getBoundingClientRect();
    return { x: x - left, y: y - top };
  };
  let pointer = { x: from.clientX, y: from.clientY };
  const start = place(pointer);
  let touched: readonly number[] = [];
  let frame = 0;
  let isWhole = true;
  const ending = new AbortController();
  const listen = { signal: ending.signal, capture: true };

  const draw = (): void => {
    const now = place(pointer);
    const box = {
      left: Math.max(0, Math.min(start.x, now.x)),
      top: Math.max(0, Math.min(start.y, now.y)),
      right: Math.min(rows.clientWidth, Math.max(start.x, now.x)),
      bottom: Math.max(start.y, now.y),
    };
    touched = indicesIn(box);
    isWhole = onDraw(box, touched, pointer);
  };
  let scrolledAt = 0;
  const scroll = (at: number): void => {
    const { top, bottom } = list.getBoundingClientRect();
    const into = Math.max(0, pointer.y - (bottom - edge)) - Math.max(0, top + edge - pointer.y);
    const before = list.scrollTop;
    // The distance depends on time and not on frames, because a busy machine draws few.
    const seconds = scrolledAt === 0 ? 0 : (at - scrolledAt) / 1000;
    scrolledAt = at;
    list.scrollTop += Math.max(-1, Math.min(1, into / edge)) * fastest * seconds;
    if (list.scrollTop !== before || !isWhole) draw();
    frame = requestAnimationFrame(scroll);
  };
  const end = (how: 'unmoved' | 'drawn' | 'canceled'): void => {
    cancelAnimationFrame(frame);
    ending.abort();
    onEnd(how, touched);
  };
  window.addEventListener(
    'pointermove',
    (event) => {
      pointer = { x: event.clientX, y: event.clientY };
      if (frame === 0 && Math.hypot(pointer.x - from.clientX, pointer.y - from.clientY) <= slack) return;
      if (frame === 0) frame = requestAnimationFrame(scroll);
      draw();
    },
    listen,
  );
  window.addEventListener(
    'pointerup',
    () => {
      if (frame === 0) return end('unmoved');
      dropNextClick();
      // The press took the focus from the list.
      list.focus({ preventScroll: true });
      end('drawn');
    },
    listen,
  );
  window.addEventListener('pointercancel', () => end('canceled'), listen);
  // Elements that lose the focus blur here too.
  window.addEventListener('blur', (event) => event.target === window && end('canceled'), listen);
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || frame === 0) return;
      event.preventDefault();
      event.stopPropagation();
      end('canceled');
    },
    listen,
  );
  // Otherwise the text beside the list would be marked when the pointer leaves it.
  document.addEventListener('selectstart', (event) => event.preventDefault(), listen);
  return () => end('canceled');
}

/** The release of the button ends with a click on what both ends of the box lie in. */
function dropNextClick(): void {
  const drop = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', drop, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', drop, { capture: true }));
}

const rowOf = (target: EventTarget): Element | undefined => (target instanceof Element && target.closest('[id^="row-"]')) || undefined;

/** Whether a press there may begin a box: on empty space, not on a scroll bar, a control, or what is dragged. */
function isFree(
  { target, clientX, clientY }: Pick<ReactPointerEvent, 'target' | 'clientX' | 'clientY'>,
  list: HTMLElement,
  rows: HTMLElement,
  isBesideNames = false,
): boolean {
  if (!(target instanceof Element) || !(target === list || rows.contains(target))) return false;
  if (target.closest('button, input, label, textarea')) return false;
  const { left, top } = list.getBoundingClientRect();
  if (clientX >= left + list.clientLeft + list.clientWidth || clientY >= top + list.clientTop + list.clientHeight) return false;
  const row = rowOf(target);
  if (!row) return true;
  const name = row.querySelector('a');
  if (!isBesideNames || !name || row.getAttribute('aria-selected') === 'true') return false;
  const text = document.createRange();
  text.selectNodeContents(name);
  return clientX > Math.min(text.getBoundingClientRect().right, name.getBoundingClientRect().right) + slack;
}
