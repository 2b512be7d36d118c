import { uploadProgress } from '@sheaf/contract';
import { useSyncExternalStore } from 'react';
import { send } from '#/lib/http/send.ts';
import type { RequestProgress } from './progress.ts';
import { putFile } from './put-file.ts';
import { type Upload, createUploads } from './uploads.ts';

const requestProgress: RequestProgress = async (uploadIds) => {
  const { uploads } = await send(uploadProgress, { uploadIds: [...uploadIds] });
  return new Map(uploads.map(({ uploadId, taken }) => [uploadId, taken]));
};

/** The uploads of this page. */
export const pageUploads = createUploads({
  put: putFile,
  atOnce: 3,
  now: () => performance.now(),
  requestProgress,
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});

/** Whether leaving or reloading the page would interrupt an upload. */
export const isUploading = (): boolean => pageUploads.list().some(({ state }) => state === 'running' || state === 'waiting');

window.addEventListener('beforeunload', (event) => {
  if (isUploading()) event.preventDefault();
});

/** Every upload of this page. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(pageUploads.subscribe, pageUploads.list);

/** Number of uploads so far; changes only when one starts. */
export const useUploadTotal = (): number => useSyncExternalStore(pageUploads.subscribe, pageUploads.total);

const isAsking = (): boolean => pageUploads.list().some(({ state }) => state === 'asking');

/** Whether an upload waits for the user's decision about a taken name. */
export const useIsAsking = (): boolean => useSyncExternalStore(pageUploads.subscribe, isAsking);
