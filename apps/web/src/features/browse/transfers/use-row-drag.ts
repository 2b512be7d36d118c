import type { Item, ItemOperation } from '@sheaf/contract';
import { type DragEvent, useState } from 'react';
import { draggedType, setDragged, useDragged } from '#/lib/transfers/dragged.ts';
import { type Dragged, dropKind } from '#/lib/transfers/drop-kind.ts';
import { dragPicture } from './drag-picture.ts';
import { transferTo } from './use-paste.ts';

/** A folder that rows are held over, and what a drop would do. */
export interface Aim {
  readonly linkUri: string;
  readonly name: string;
  readonly kind: 'copy' | 'move';
  /** Position of the pointer in the window. */
  readonly x: number;
  readonly y: number;
}

/** Attributes of a row that can be dragged, and of one that takes drops. */
export interface RowDrag {
  readonly source: (item: Item) => {
    readonly draggable?: true;
    readonly onDragStart?: (event: DragEvent) => void;
    readonly onDragEnd?: (event: DragEvent) => void;
    readonly 'data-lifted'?: true;
  };
  readonly target: (folder: Pick<Item, 'linkUri' | 'name'> | undefined) => {
    readonly onDragOver?: (event: DragEvent) => void;
    readonly onDragLeave?: (event: DragEvent) => void;
    readonly onDrop?: (event: DragEvent) => void;
    readonly 'data-drop'?: true;
  };
}

type Options = {
  readonly can: ReadonlySet<ItemOperation>;
  readonly chosen: readonly Item[];
};

/** On touch screens a long press would begin a drag instead of scrolling; there the menu copies and moves. */
const canDrag = (): boolean => matchMedia('(pointer: fine)').matches;

/** Dragging rows onto folders: within a link they move, between links they are copied, and Ctrl or Alt always copies. */
export function useRowDrag({ can, chosen }: Options): { readonly drag: RowDrag; readonly aim: Aim | undefined } {
  const dragged = useDragged();
  const [aim, setAim] = useState<Aim>();
  const lifted = new Set(dragged?.linkUris);

  const source: RowDrag['source'] = (item) => {
    if (!can.has('read') || !canDrag()) return {};
    return {
      draggable: true,
      ...(lifted.has(item.linkUri) && { 'data-lifted': true as const }),
      onDragStart: ({ dataTransfer }) => {
        const items = chosen.some(({ linkUri }) => linkUri === item.linkUri) ? chosen : [item];
        const now: Dragged = { linkUris: items.map(({ linkUri }) => linkUri), canMove: can.has('remove') };
        dataTransfer.setData(draggedType, JSON.stringify(now));
        dataTransfer.effectAllowed = 'copyMove';
        dragPicture(dataTransfer, items);
        setDragged(now);
      },
      onDragEnd: ({ currentTarget }) => {
        // The press that began the drag took the focus from the list.
        currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
        setDragged(undefined);
        setAim(undefined);
      },
    };
  };
  const target: RowDrag['target'] = (folder) => {
    if (!folder || !can.has('write')) return {};
    const { linkUri, name } = folder;
    const leave = (): void => setAim((now) => (now?.linkUri === linkUri ? undefined : now));
    return {
      ...(aim?.linkUri === linkUri && { 'data-drop': true as const }),
      onDragOver: (event) => {
        if (!event.dataTransfer.types.includes(draggedType)) return;
        // The nearest folder takes it, or nothing: a folder around it must not.
        event.stopPropagation();
        const kind = dragged && dropKind(dragged, linkUri, event);
        if (!kind) return leave();
        event.preventDefault();
        event.dataTransfer.dropEffect = kind;
        setAim({ linkUri, name, kind, x: event.clientX, y: event.clientY });
      },
      onDragLeave: (event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) leave();
      },
      onDrop: (event) => {
        const text = event.dataTransfer.getData(draggedType);
        if (text === '') return;
        event.preventDefault();
        event.stopPropagation();
        setAim(undefined);
        setDragged(undefined);
        const what = draggedIn(text);
        const kind = what && dropKind(what, linkUri, event);
        if (kind) void transferTo(kind, what.linkUris, linkUri);
      },
    };
  };
  return { drag: { source, target }, aim };
}

/** What was dropped; another page may offer anything under our type. */
function draggedIn(text: string): Dragged | undefined {
  try {
    const { linkUris, canMove } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (!Array.isArray(linkUris)) return undefined;
    return { linkUris: linkUris.filter((one): one is string => typeof one === 'string'), canMove: canMove === true };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
