import type { Item, TransferKind } from '@sheaf/contract';
import { useSyncExternalStore } from 'react';

/** Items whose target is still to be chosen. */
export interface TransferRequest {
  /** A mirror is backed up at times that are still to be set. */
  readonly kind: TransferKind;
  readonly items: readonly Item[];
  /** Name of the folder they are in. */
  readonly from: string;
  /** That folder. */
  readonly fromUri: string;
}

let current: TransferRequest | undefined;
const listeners = new Set<() => void>();

function set(request: TransferRequest | undefined): void {
  current = request;
  for (const listener of listeners) listener();
}

/** Opens the dialog "Copy to", "Move to" or "Back up" over the current page. */
export const askForTarget = (request: TransferRequest): void => set(request);

/** Closes the dialog. */
export const endTransferRequest = (): void => set(undefined);

/** The items whose dialog is open, or undefined. */
export const useTransferRequest = (): TransferRequest | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
