import { uploadProgress } from '@sheaf/contract';
import { useSyncExternalStore } from 'react';
import { send } from '#/lib/http/send.ts';
import { newUndoId } from '#/lib/undoing.ts';
import { answerIsUploading, isUploading } from './is-uploading.ts';
import { dropKept, noteBegun } from './kept/keeper.ts';
import { pauseUntilOnline } from './pause.ts';
import type { RequestProgress } from './progress.ts';
import { type PutFile, putWhole } from './put-file.ts';
import { createPutInPieces, tusRequests } from './put-in-pieces.ts';
import { type Upload, createUploads } from './uploads.ts';

const requestProgress: RequestProgress = async (uploadIds) => {
  const { uploads } = await send(uploadProgress, { uploadIds: [...uploadIds] });
  return new Map(uploads.map(({ uploadId, taken }) => [uploadId, taken]));
};

/** Smaller files are sent in one request: sending one again costs less than the requests of an upload that can be continued. */
const inPiecesFrom = 16 * 1024 * 1024;

const putInPieces = createPutInPieces({ requests: tusRequests, now: () => performance.now(), pause: pauseUntilOnline });
const putFile: PutFile = (file, ...rest) => (file.size < inPiecesFrom ? putWhole : putInPieces)(file, ...rest);

/** The uploads of this page. */
export const pageUploads = createUploads({
  put: putFile,
  keeper: { begun: noteBegun, drop: dropKept },
  end: (uploadId) => void tusRequests.end(uploadId).catch(() => undefined),
  atOnce: 3,
  now: () => performance.now(),
  requestProgress,
  newUndoId,
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});

answerIsUploading(() => pageUploads.list().some(({ state }) => state === 'running' || state === 'waiting'));

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
