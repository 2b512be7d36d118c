import { type Undone, undoChange } from '@sheaf/contract';
import { itemCount } from './format.ts';
import { errorText } from './http/error-text.ts';
import { send } from './http/send.ts';

/** A change that can be undone. */
export interface Change {
  /** The undo id of changes of items, or the id of a transfer. */
  readonly undoId: string;
  /** Shows the folder as it is after the change was undone. */
  readonly onUndone?: () => void;
  /** Makes the change again, and offers its undo; absent where only the user can. */
  readonly again?: () => Promise<void>;
}

/** Shows results to the user. */
interface Tell {
  readonly done: (message: string) => void;
  readonly failed: (message: string) => void;
}

/** Most changes that Ctrl+Z goes back. */
const most = 50;
/** Changes of this page, the last one at the end: those that can be undone, and those that were. */
const done: Change[] = [];
let undone: Change[] = [];

/** An id for changes that are undone together; also without a secure context. */
export const newUndoId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const canUndo = (): boolean => done.length > 0;
export const canRedo = (): boolean => undone.length > 0;

/** Remembers a change. A new change clears the list of changes to redo. */
export function remember(change: Change, isAgain = false): void {
  if (!isAgain) undone = [];
  done.push(change);
  if (done.length > most) done.shift();
}

/** Undoes that change, or the last one, and shows the result. */
export async function undo(tell: Tell, undoId = done.at(-1)?.undoId): Promise<void> {
  const index = done.findIndex((change) => change.undoId === undoId);
  const [change] = index < 0 ? [] : done.splice(index, 1);
  if (!change) return;
  try {
    const result = await send(undoChange, { undoId: change.undoId });
    const message = undoneText(result);
    if (result.refused.length > 0) tell.failed(message);
    else {
      tell.done(message);
      const { redoId } = result;
      if (change.again) undone.push(change);
      else if (redoId !== undefined) undone.push({ ...change, again: () => takeBack(tell, { ...change, undoId: redoId }) });
    }
  } catch (error) {
    tell.failed(errorText(error));
  }
  change.onUndone?.();
}

/** Redoes a change, which can then be undone again. */
async function takeBack(tell: Tell, { undoId, onUndone }: Change): Promise<void> {
  try {
    const result = await send(undoChange, { undoId });
    const again = { ...(onUndone && { onUndone }) };
    if (result.refused.length > 0) tell.failed(undoneText(result));
    else {
      tell.done(`Made again: ${itemCount(result.undone)}`);
      if (result.redoId !== undefined) remember({ undoId: result.redoId, ...again }, true);
    }
  } catch (error) {
    tell.failed(errorText(error));
  }
  onUndone?.();
}

/** The result of an undo as sentences. */
export function undoneText({ undone: count, refused: [first], refusedTotal, transferId }: Undone): string {
  if (first) return `${itemCount(refusedTotal)} could not be undone. ${errorText(first.error)}`;
  return transferId === undefined ? `Undone: ${itemCount(count)}` : 'It is being undone. Transfers show what becomes of it.';
}

/** Redoes the change that was undone last. */
export async function redo(): Promise<void> {
  await undone.pop()?.again?.();
}
