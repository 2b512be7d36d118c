import { useSyncExternalStore } from 'react';
import { WordedError } from '../../http/error-text.ts';
import { type Gathering, gatherHandles, pathOf } from '../gather-files.ts';
import { uploadInto } from '../into-folder.ts';
import { tusRequests } from '../put-in-pieces.ts';
import type { UploadTarget } from '../uploads.ts';
import { fingerprintOf } from './fingerprint.ts';
import { forgetUploads, lockOf, pageId, setAccount } from './keeper.ts';
import { type KeptBatch, type KeptFile, keptStore } from './store.ts';

/** Uploads of a page that is gone. */
export interface Interrupted {
  readonly id: string;
  readonly target: UploadTarget;
  readonly files: readonly KeptFile[];
  /** The browser can read the files again once the user allows it; else the user chooses them again. */
  readonly hasHandles: boolean;
  /** They were in folders, and are chosen by folder. */
  readonly isFolder: boolean;
}

type AskedHandle = FileSystemHandle & {
  queryPermission?(ask: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(ask: { mode: 'read' }): Promise<PermissionState>;
};

let shown: readonly Interrupted[] = [];
const listeners = new Set<() => void>();
const set = (next: readonly Interrupted[]): void => {
  shown = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The uploads that were interrupted by a reload or by closing the page, of this account in this browser. */
export const useInterrupted = (): readonly Interrupted[] => useSyncExternalStore(subscribe, () => shown);

/** Pages that are alive; without locks only this one is known to be. */
async function livePages(): Promise<(page: string) => boolean> {
  const held = 'locks' in navigator ? ((await navigator.locks.query()).held ?? []).map(({ name }) => name) : [];
  return (page) => page === pageId || held.includes(lockOf(page));
}

const toInterrupted = (batch: KeptBatch, files: readonly KeptFile[]): Interrupted => ({
  id: batch.id,
  target: batch.target,
  files,
  hasHandles: batch.handles.length > 0,
  isFolder: files.some(({ path }) => path.includes('/')),
});

/** Looks for the account's interrupted uploads, and keeps new ones as its own. Continues those at once whose files the browser still lets this page read. */
export async function findInterrupted(account: string): Promise<void> {
  setAccount(account);
  const isLive = await livePages();
  const found: Interrupted[] = [];
  for (const batch of await keptStore.batches()) {
    if (batch.account !== account) {
      // Somebody else has signed in in this browser.
      await dropBatch(batch.id);
      continue;
    }
    if (isLive(batch.page)) continue;
    const files = await keptStore.files(batch.id);
    if (files.length === 0) await keptStore.drop(batch.id, []);
    else found.push(toInterrupted(batch, files));
  }
  set(found);
  for (const one of found) if (one.hasHandles && (await mayRead(one, 'queryPermission'))) await continueByHandles(one);
}

async function mayRead({ id }: Interrupted, way: 'queryPermission' | 'requestPermission'): Promise<boolean> {
  const handles: readonly AskedHandle[] = (await keptStore.batches()).find((batch) => batch.id === id)?.handles ?? [];
  for (const handle of handles) if ((await handle[way]?.({ mode: 'read' })) !== 'granted') return false;
  return handles.length > 0;
}

/** Reads what was dropped again and goes on. Asks the user, if the browser wants that. */
export async function continueByHandles(one: Interrupted): Promise<void> {
  if (!(await mayRead(one, 'requestPermission')))
    throw new WordedError('The browser may not read these files. Please allow it, or drop them again.');
  const handles = (await keptStore.batches()).find(({ id }) => id === one.id)?.handles ?? [];
  await continueWith(one, await gatherHandles(handles), handles);
}

/** Goes on with those of the given files that are among the interrupted ones, known by path, size, time and content. */
export async function continueWith(one: Interrupted, given: Gathering, handles: readonly FileSystemHandle[] = []): Promise<void> {
  const wanted = new Map(one.files.map((file) => [file.path, file]));
  const begun = new Map<string, string>();
  const files: Gathering['files'][number][] = [];
  for (const gathered of given.files) {
    const { file, folders } = gathered;
    const path = pathOf(folders, file.name);
    const kept = wanted.get(path);
    if (kept?.size !== file.size || kept.modified !== file.lastModified) continue;
    files.push(gathered);
    const isSame = kept.fingerprint === undefined || kept.fingerprint === (await fingerprintOf(file));
    if (kept.uploadId !== undefined && isSame) begun.set(path, kept.uploadId);
  }
  if (files.length === 0) throw new WordedError('These are other files than those that were being uploaded, or they have changed.');
  const paths = files.map(({ file, folders }) => pathOf(folders, file.name));
  await keptStore.drop(one.id, paths);
  const left = one.files.filter(({ path }) => !paths.includes(path));
  set(shown.flatMap((other) => (other.id !== one.id ? [other] : left.length > 0 ? [{ ...other, files: left }] : [])));
  // Folders of files that are not among these exist already, or are somebody else's choice.
  await uploadInto(one.target, { files, folders: [] }, { handles, begun });
}

/** Gives the uploads up: what the storage has of them is removed. */
export async function discardInterrupted({ id }: Interrupted): Promise<void> {
  set(shown.filter((other) => other.id !== id));
  await dropBatch(id);
}

async function dropBatch(id: string): Promise<void> {
  const files = await keptStore.files(id);
  await Promise.allSettled(files.flatMap(({ uploadId }) => (uploadId === undefined ? [] : [tusRequests.end(uploadId)])));
  await keptStore.drop(
    id,
    files.map(({ path }) => path),
  );
}

/** Forgets all, as at sign-out. */
export function forgetInterrupted(): void {
  set([]);
  forgetUploads();
}
