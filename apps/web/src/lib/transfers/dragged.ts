import { useSyncExternalStore } from 'react';
import type { Dragged } from './drop-kind.ts';

/** Type of dragged rows, beside those that other programs know. */
export const draggedType = 'application/x-sheaf-items';

let dragged: Dragged | undefined;
const listeners = new Set<() => void>();
// Other windows cannot read what is dragged before it is dropped, but have to show what a drop would do.
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('sheaf-drag');
const set = (now: Dragged | undefined): void => {
  dragged = now;
  for (const listener of listeners) listener();
};
channel?.addEventListener('message', ({ data }: MessageEvent<Dragged | undefined>) => set(data));

/** Begins, or with undefined ends, dragging rows. */
export function setDragged(now: Dragged | undefined): void {
  set(now);
  channel?.postMessage(now);
}

/** The rows that are being dragged, if any. */
export const useDragged = (): Dragged | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => dragged,
  );
