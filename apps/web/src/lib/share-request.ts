import { useSyncExternalStore } from 'react';

/** An item that its user wants to share, wherever in the app it was chosen. */
export interface ShareRequest {
  readonly linkUri: string;
  /** Names that lead to the item, the link's first, parted by slashes. */
  readonly path: string;
  readonly fileType: 'FOLDER' | 'FILE';
}

let current: ShareRequest | undefined;
const listeners = new Set<() => void>();

function set(request: ShareRequest | undefined): void {
  current = request;
  for (const listener of listeners) listener();
}

/** Opens the dialog that shares this item, over whatever is shown. */
export const askToShare = (request: ShareRequest): void => set(request);

/** Ends the request: it was done, or given up. */
export const endShareRequest = (): void => set(undefined);

/** The item whose dialog is open, or undefined. */
export const useShareRequest = (): ShareRequest | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
