import type { Item, ItemOperation } from '@sheaf/contract';
import { type DragEvent, useState } from 'react';
import { useSameFunctions } from '#/lib/same-functions.ts';
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
  readonly source: (item: Item) => DragSource;
  readonly target: (folder: DropFolder | undefined) => DropTarget;
  /** Whether rows can be dragged, and whether folders take drops. */
  readonly canLift: boolean;
  readonly canDrop: boolean;
  readonly isLifted: (linkUri: string) => boolean;
  readonly isAimedAt: (linkUri: string) => boolean;
  /** The same object at each drawing. */
  readonly handlers: DragHandlers;
}

interface DragSource {
  readonly draggable?: true;
  readonly onDragStart?: (event: DragEvent) => void;
  readonly onDragEnd?: (event: DragEvent) => void;
  readonly 'data-lifted'?: true;
}
interface DropTarget {
  readonly onDragOver?: (event: DragEvent) => void;
  readonly onDragLeave?: (event: DragEvent) => void;
  readonly onDrop?: (event: DragEvent) => void;
  readonly 'data-drop'?: true;
}
type DropFolder = Pick<Item, 'linkUri' | 'name'>;

export interface DragHandlers {
  readonly start: (item: Item, event: DragEvent) => void;
  readonly end: (event: DragEvent) => void;
  readonly over: (folder: DropFolder, event: DragEvent) => void;
  readonly leave: (folder: DropFolder, event: DragEvent) => void;
  readonly drop: (folder: DropFolder, event: DragEvent) => void;
}

/** The attributes of a row that can be dragged. */
export const dragSource = ({ start, end }: DragHandlers, item: Item, isLifted: boolean): DragSource => ({
  draggable: true,
  ...(isLifted && { 'data-lifted': true }),
  onDragStart: (event) => start(item, event),
  onDragEnd: end,
});

/** The attributes of what takes drops for a folder. */
export const dropTarget = ({ over, leave, drop }: DragHandlers, folder: DropFolder, isAimedAt: boolean): DropTarget => ({
  ...(isAimedAt && { 'data-drop': true }),
  onDragOver: (event) => over(folder, event),
  onDragLeave: (event) => leave(folder, event),
  onDrop: (event) => drop(folder, event),
});

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
  const turnFrom = (linkUri: string): void => setAim((now) => (now?.linkUri === linkUri ? undefined : now));

  const handlers = useSameFunctions<DragHandlers>({
    start(item, { dataTransfer }) {
      const items = chosen.some(({ linkUri }) => linkUri === item.linkUri) ? chosen : [item];
      const now: Dragged = { linkUris: items.map(({ linkUri }) => linkUri), canMove: can.has('remove') };
      dataTransfer.setData(draggedType, JSON.stringify(now));
      dataTransfer.effectAllowed = 'copyMove';
      dragPicture(dataTransfer, items);
      setDragged(now);
    },
    end({ currentTarget }) {
      // The press that began the drag took the focus from the list.
      currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
      setDragged(undefined);
      setAim(undefined);
    },
    over({ linkUri, name }, event) {
      if (!event.dataTransfer.types.includes(draggedType)) return;
      // The nearest folder takes it, or nothing: a folder around it must not.
      event.stopPropagation();
      const kind = dragged && dropKind(dragged, linkUri, event);
      if (!kind) return turnFrom(linkUri);
      event.preventDefault();
      event.dataTransfer.dropEffect = kind;
      setAim({ linkUri, name, kind, x: event.clientX, y: event.clientY });
    },
    leave({ linkUri }, event) {
      if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) turnFrom(linkUri);
    },
    drop({ linkUri }, event) {
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
  });
  const canLift = can.has('read') && canDrag();
  const canDrop = can.has('write');
  const isLifted = (linkUri: string): boolean => lifted.has(linkUri);
  const isAimedAt = (linkUri: string): boolean => aim?.linkUri === linkUri;
  const drag: RowDrag = {
    source: (item) => (canLift ? dragSource(handlers, item, isLifted(item.linkUri)) : {}),
    target: (folder) => (folder && canDrop ? dropTarget(handlers, folder, isAimedAt(folder.linkUri)) : {}),
    canLift,
    canDrop,
    isLifted,
    isAimedAt,
    handlers,
  };
  return { drag, aim };
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
