import { type Gathered, pathOf } from '../gather-files.ts';
import type { UploadTarget } from '../uploads.ts';
import { fingerprintOf } from './fingerprint.ts';
import { keptStore } from './store.ts';

/** Tells the uploads of this page from those of other pages. */
export const pageId = Math.random().toString(36).slice(2);
/** Held as long as the page lives, so that other pages know that its uploads go on. */
export const lockOf = (page: string): string => `sheaf-uploads ${page}`;
let isHeld = false;

function holdLock(): void {
  // Only where the page came over TLS, or from this computer.
  if (isHeld || !('locks' in navigator)) return;
  isHeld = true;
  void navigator.locks.request(lockOf(pageId), () => new Promise(() => undefined));
}

/** The signed-in account, by its address; what is kept belongs to it. */
let account = '';
export const setAccount = (address: string): void => void (account = address);

/** A browser without a database uploads all the same; it only cannot continue after a reload. */
const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** Work on one batch in its order: a file may be stored before the batch is. */
const last = new Map<string, Promise<unknown>>();
function inTurn(batch: string, work: () => Promise<unknown>): void {
  const next = (last.get(batch) ?? Promise.resolve()).then(work, work);
  last.set(batch, next);
  quietly(next);
}

/** Keeps what is to be uploaded beyond the page; returns the batch's id. */
export function keepUploads(target: UploadTarget, files: readonly Gathered[], handles: readonly FileSystemHandle[]): string {
  const batch = `${pageId}-${crypto.getRandomValues(new Uint32Array(1)).join('')}-${last.size}`;
  const kept = files.map(({ file, folders }) => ({
    batch,
    path: pathOf(folders, file.name),
    size: file.size,
    modified: file.lastModified,
  }));
  holdLock();
  inTurn(batch, () => keptStore.add({ id: batch, page: pageId, account, target, handles }, kept));
  return batch;
}

/** A file of a batch. */
export interface Kept {
  readonly batch: string;
  readonly path: string;
}

/** Notes that the file's upload has begun at the server. */
export function noteBegun({ batch, path }: Kept, file: File, uploadId: string): void {
  inTurn(batch, async () => {
    const fingerprint = await fingerprintOf(file);
    await keptStore.note(batch, path, { uploadId, ...(fingerprint !== undefined && { fingerprint }) });
  });
}

/** Files to be forgotten together, by batch; the first one is forgotten at once. */
const dropped = new Map<string, string[]>();
/** ms */
const dropEvery = 500;

function dropAll(batch: string): void {
  const paths = dropped.get(batch) ?? [];
  if (paths.length === 0) {
    dropped.delete(batch);
    return;
  }
  dropped.set(batch, []);
  inTurn(batch, () => keptStore.drop(batch, paths));
  setTimeout(() => dropAll(batch), dropEvery);
}

/** Forgets a file that is stored, or that nobody wants to upload any more. */
export function dropKept({ batch, path }: Kept): void {
  const waiting = dropped.get(batch);
  if (waiting) waiting.push(path);
  else {
    dropped.set(batch, [path]);
    dropAll(batch);
  }
}

/** Forgets all, as at sign-out. */
export const forgetUploads = (): void => quietly(keptStore.clear());
