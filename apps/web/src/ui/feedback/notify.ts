/** A message at the edge of the screen. */
export interface Notification {
  readonly id: number;
  readonly kind: 'error' | 'done';
  readonly message: string;
  /** It stays until the caller or the user removes it. */
  readonly lasting?: true;
  /** Takes back what the message tells of. */
  readonly undo?: () => void;
}

/** How long a message stays, in ms; the timer pauses while the pointer is on it. */
export const stays = { error: 8000, done: 4000, undo: 12_000 } as const;
/** More would cover the page. */
const most = 4;

let shown: readonly Notification[] = [];
let count = 0;
const listeners = new Set<() => void>();

const set = (next: readonly Notification[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};
const add = (kind: Notification['kind'], message: string, { lasting, undo }: Pick<Notification, 'lasting' | 'undo'> = {}): number => {
  count += 1;
  // The same message again restarts its time instead of appearing twice.
  set(
    [
      ...shown.filter((one) => one.message !== message),
      { id: count, kind, message, ...(lasting && { lasting }), ...(undo && { undo }) },
    ].slice(-most),
  );
  return count;
};

/** The visible messages, and a subscription to changes. */
export const notifications = {
  list: (): readonly Notification[] => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  dismiss: (id: number): void => set(shown.filter((one) => one.id !== id)),
};

/** Reports an error at the edge of the screen; announced at once. */
export const notifyError = (message: string): void => void add('error', message);

/** Reports a problem as long as it lasts; returns a function that removes the message. */
export function notifyWhile(message: string): () => void {
  const id = add('error', message, { lasting: true });
  return () => notifications.dismiss(id);
}

/** Reports a success. */
export const notifyDone = (message: string): void => void add('done', message);

/** Reports a change that can be undone; stays long enough to decide. */
export const notifyUndo = (message: string, undo: () => void): void => void add('done', message, { undo });
