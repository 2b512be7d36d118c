import { useSyncExternalStore } from 'react';

/** An item to share, or several, chosen anywhere in the app. */
export interface ShareRequest {
  readonly linkUri: string;
  /** Path of the item, starting with the link's name, separated by slashes. */
  readonly path: string;
  readonly fileType: 'FOLDER' | 'FILE';
  /** Addresses of further items of the same share. */
  readonly more?: readonly string[];
}

let current: ShareRequest | undefined;
const listeners = new Set<() => void>();

function set(request: ShareRequest | undefined): void {
  current = request;
  for (const listener of listeners) listener();
}

/** Opens the sharing dialog for this item over the current page. */
export const askToShare = (request: ShareRequest): void => set(request);

/** Closes the request after success or cancelling. */
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
