import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

/** Handler of files that are dragged over the app. */
export interface DropTarget {
  /** Shown while files are over the window. */
  readonly text: string;
  /** Takes the dropped files; undefined where nothing can be uploaded. */
  readonly onDrop: ((items: DataTransferItemList) => void) | undefined;
}

/** The newest target wins: the visible folder comes after the app's own target, which takes nothing. */
const targets: { current: DropTarget }[] = [];
let isOver = false;
const listeners = new Set<() => void>();
const setOver = (over: boolean): void => {
  if (over === isOver) return;
  isOver = over;
  for (const listener of listeners) listener();
};

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** A file dropped outside a target would replace the app. */
function follow(event: DragEvent): void {
  const target = targets.at(-1)?.current;
  if (!target || !carriesFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = target.onDrop ? 'copy' : 'none';
  setOver(true);
}

function leave(event: DragEvent): void {
  if (event.relatedTarget === null) setOver(false);
}

function drop(event: DragEvent): void {
  const target = targets.at(-1)?.current;
  if (!target || !carriesFiles(event)) return;
  event.preventDefault();
  setOver(false);
  if (event.dataTransfer) target.onDrop?.(event.dataTransfer.items);
}

const onWindow = [
  ['dragover', follow],
  ['dragleave', leave],
  ['drop', drop],
] as const;

/** Registers a target for files dropped anywhere in the window while the component is mounted; returns its text while files are over the window. */
export function useFileDrops(target: DropTarget): string | undefined {
  const own = useRef(target);
  useEffect(() => {
    own.current = target;
  });
  // Before the page is painted: a file dropped in between would replace the app.
  useLayoutEffect(() => {
    if (targets.length === 0) for (const [name, listener] of onWindow) window.addEventListener(name, listener);
    const entry = own;
    targets.push(entry);
    return () => {
      targets.splice(targets.indexOf(entry), 1);
      if (targets.length > 0) return;
      setOver(false);
      for (const [name, listener] of onWindow) window.removeEventListener(name, listener);
    };
  }, []);
  const over = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOver && targets.at(-1) === own,
  );
  return over ? target.text : undefined;
}
