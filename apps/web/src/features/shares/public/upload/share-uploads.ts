import { weblinkUploadsPath } from '@sheaf/contract';
import { newUndoId } from '#/lib/undoing.ts';
import { pauseUntilOnline } from '#/lib/uploads/pause.ts';
import { createPutInPieces, createTusRequests } from '#/lib/uploads/put-in-pieces.ts';
import { createUploads } from '#/lib/uploads/uploads.ts';

/** Where the tab remembers an upload, to continue it when the same file is chosen again after a reload. */
const keyOf = (weblinkId: string, { name, size, lastModified }: File): string =>
  JSON.stringify(['upload', weblinkId, name, size, lastModified]);

export type ShareUploads = ReturnType<typeof createShareUploads>;

/** Uploads into a share that takes them. */
export function createShareUploads(weblinkId: string) {
  const requests = createTusRequests(weblinkUploadsPath(weblinkId));
  const now = (): number => performance.now();
  const uploads = createUploads({
    put: createPutInPieces({ requests, now, pause: pauseUntilOnline }),
    keeper: {
      begun: ({ path }, _file, uploadId) => sessionStorage.setItem(path, uploadId),
      drop: ({ path }) => sessionStorage.removeItem(path),
    },
    end: (uploadId) => void requests.end(uploadId).catch(() => undefined),
    atOnce: 3,
    now,
    // Shows what has left the browser, because visitors do not learn how much the storage has taken.
    requestProgress: () => Promise.resolve(new Map()),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    newUndoId,
  });
  return {
    ...uploads,
    addFiles(files: readonly File[]): void {
      const place = { linkUri: '', name: '', href: '' };
      uploads.add(
        files.map((file) => {
          const path = keyOf(weblinkId, file);
          return { file, place, kept: { batch: weblinkId, path }, uploadId: sessionStorage.getItem(path) ?? undefined };
        }),
      );
    },
  };
}
