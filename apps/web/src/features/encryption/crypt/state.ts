import { useSyncExternalStore } from 'react';
import { rTag } from '#/lib/http/cookie.ts';
import { askWorker } from './client.ts';
import type { Way } from './requests.ts';

/** A vault locks after this many milliseconds without use. */
export const lockAfter = 15 * 60 * 1000;

/** Lock time of each open vault, epoch milliseconds. */
let open: ReadonlyMap<string, number> = new Map();
/** The session in which the vaults were opened. They lock when it ends, or another user signs in. */
let session = '';
const listeners = new Set<() => void>();
const set = (next: ReadonlyMap<string, number>): void => {
  open = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Each tab has its own worker and keys; when one tab locks, all lock. */
const tabs = new BroadcastChannel('sheaf-vaults');
tabs.addEventListener('message', ({ data }: MessageEvent<{ lock: string }>) => forget(data.lock));

function forget(vaultId: string): void {
  if (!open.has(vaultId)) return;
  void askWorker('lock', { vaultId });
  set(new Map([...open].filter(([id]) => id !== vaultId)));
}

/** Locks a vault in all tabs. */
export function lockVault(vaultId: string): void {
  tabs.postMessage({ lock: vaultId });
  forget(vaultId);
}

/** Unlocks a vault in this tab; false for a wrong passphrase or wrong words. */
export async function unlockVault(vaultId: string, wrapped: string, way: Way): Promise<boolean> {
  const isOpen = await askWorker('unlock', { vaultId, wrapped, way });
  if (isOpen) openInTab(vaultId);
  return isOpen;
}

/** Marks a vault as open, once the worker has its keys. */
export function openInTab(vaultId: string): void {
  session = rTag();
  set(new Map([...open, [vaultId, Date.now() + lockAfter]]));
}

/** Restarts the lock timer of a vault that is in use. */
export function touchVault(vaultId: string): void {
  if (open.has(vaultId)) set(new Map([...open, [vaultId, Date.now() + lockAfter]]));
}

setInterval(() => {
  for (const [vaultId, end] of open) if (end <= Date.now() || rTag() !== session) forget(vaultId);
  if (open.size > 0) set(open);
}, 5000);

/** Minutes until the vault locks, at least one; undefined while it is locked. */
const minutesLeft = (vaultId: string): number | undefined => {
  const end = open.get(vaultId);
  return end === undefined ? undefined : Math.max(1, Math.ceil((end - Date.now()) / 60_000));
};
export const useMinutesLeft = (vaultId: string): number | undefined => useSyncExternalStore(subscribe, () => minutesLeft(vaultId));
