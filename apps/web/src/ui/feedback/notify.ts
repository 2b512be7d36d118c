/** A message away from where the user looks. */
export interface Notification {
  readonly id: number;
  readonly kind: 'error' | 'done';
  readonly message: string;
  /** It stays until whoever showed it, or the user, takes it away. */
  readonly lasting?: true;
}

/** How long a message stays, in ms; it waits while the pointer is on it. */
export const stays = { error: 8000, done: 4000 } as const;
/** More would cover what they are about. */
const most = 4;

let shown: readonly Notification[] = [];
let count = 0;
const listeners = new Set<() => void>();

const set = (next: readonly Notification[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};
const add = (kind: Notification['kind'], message: string, lasting?: true): number => {
  count += 1;
  // The same message again begins anew instead of standing there twice.
  set([...shown.filter((one) => one.message !== message), { id: count, kind, message, ...(lasting && { lasting }) }].slice(-most));
  return count;
};

/** The messages that are shown now, and how to hear of changes. */
export const notifications = {
  list: (): readonly Notification[] => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  dismiss: (id: number): void => set(shown.filter((one) => one.id !== id)),
};

/** Tells the user of something that went wrong away from where they look; read out at once. */
export const notifyError = (message: string): void => void add('error', message);

/** Tells the user what is wrong for as long as it is; gives what takes the message away. */
export function notifyWhile(message: string): () => void {
  const id = add('error', message, true);
  return () => notifications.dismiss(id);
}

/** Tells the user that something was done. */
export const notifyDone = (message: string): void => void add('done', message);
