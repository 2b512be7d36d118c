import { type KeyboardEvent, useRef } from 'react';
import type { FolderContentsProps } from '#/features/browse/FolderContents.tsx';
import { selectAll } from './select-all.ts';
import { choose, noSelection, rowAfterKey } from './selection.ts';

/** Longest pause within typed text that is searched for, in ms. */
const typingPause = 900;

type Options = Pick<FolderContentsProps, 'listing' | 'state' | 'selection' | 'onSelect' | 'actions' | 'name'> & {
  /** Rows that a page key moves. */
  readonly perPage: number;
  /** Items per row of a grid. */
  readonly columns?: number;
  readonly scrollTo: (index: number) => void;
};

/** Keyboard of a list: arrows, Home, End, Space for a quick look, Enter, Backspace, F2, Delete, Escape, Ctrl+A, Ctrl+Space, and type-ahead. */
export function useListKeys({ listing, state, selection, onSelect, actions, name, perPage, columns = 1, scrollTo }: Options) {
  const typing = useRef({ text: '', at: 0 });
  const { can, count } = state;
  const current = listing.rowAt(selection.cursor);
  const chosen = [...selection.chosen.values()];

  const find = (character: string, now: number): void => {
    const text = (now - typing.current.at < typingPause ? typing.current.text : '') + character.toLowerCase();
    typing.current = { text, at: now };
    const from = Math.max(
      0,
      selection.cursor + (text.length === 1 && current !== undefined && selection.chosen.has(current.linkUri) ? 1 : 0),
    );
    for (let step = 0; step < count; step++) {
      const index = (from + step) % count;
      if (listing.rowAt(index)?.name.toLowerCase().startsWith(text) === true) return moveTo(index, 'only');
    }
  };

  const moveTo = (index: number, mode: 'only' | 'range' | 'cursor'): void => {
    scrollTo(index);
    onSelect((now) => (mode === 'cursor' ? { ...now, cursor: index } : choose(now, index, mode, listing.rowAt)));
  };

  const commands: Readonly<Record<string, () => void>> = {
    Enter: () => current && actions.open(current),
    Backspace: actions.up,
    Escape: () => onSelect((now) => ({ ...noSelection, cursor: now.cursor })),
    ...(can.has('rename') && {
      F2: () => (chosen.length === 1 ? actions.rename(chosen[0]?.linkUri ?? '') : current && actions.rename(current.linkUri)),
    }),
    ...(can.has('remove') && chosen.length > 0 && { Delete: actions.remove }),
    ' ': () => current && actions.look(current),
  };

  const stepOf = (key: string): number | undefined => {
    if (columns === 1) return rowAfterKey(key, selection.cursor, count, perPage);
    const ways: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const way = ways[key];
    if (way === undefined) return rowAfterKey(key, selection.cursor, count, perPage);
    return Math.min(count - 1, Math.max(0, selection.cursor < 0 ? 0 : selection.cursor + way));
  };

  return (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const withControl = event.ctrlKey || event.metaKey;
    const next = stepOf(event.key);
    const command = withControl ? undefined : commands[event.key];
    if (next !== undefined) moveTo(next, event.shiftKey ? 'range' : withControl ? 'cursor' : 'only');
    else if (withControl && event.key.toLowerCase() === 'a') selectAll({ listing, count, onSelect, name });
    else if (withControl && event.key === ' ') onSelect((now) => choose(now, Math.max(0, now.cursor), 'toggle', listing.rowAt));
    else if (event.key === ' ' && typing.current.text !== '' && event.timeStamp - typing.current.at < typingPause)
      find(' ', event.timeStamp);
    else if (command) command();
    else if (event.key.length === 1 && !withControl) find(event.key, event.timeStamp);
    else return;
    event.preventDefault();
  };
}

/** How a click selects: alone, with Ctrl toggling, with Shift a range. */
export function selectModeOf(event: {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): 'only' | 'toggle' | 'range' {
  if (event.shiftKey) return 'range';
  return event.ctrlKey || event.metaKey ? 'toggle' : 'only';
}

/** Whether the event comes from a touch screen, where a tap opens, because there is no double click. */
export const isTouch = (event: { readonly nativeEvent: Event }): boolean =>
  event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === 'touch';

/** Id of a row's element, for the grid's aria-activedescendant. */
export const rowId = (index: number): string => `row-${index}`;
