import { measured } from '@sheaf/connectors';
import { limits } from '@sheaf/contract';

interface Running {
  taken: number;
}

/**
 * How much of the running uploads of this process the storages have taken, by the ids that clients have given them. An upload is forgotten when it ends; each
 * account sees its own only, `limits.watchedUploads` at most.
 */
export function createUploadProgress() {
  const accounts = new Map<string, Map<string, Running>>();
  return {
    /**
     * Runs an upload of `size` bytes, if that is known, and counts what the storage takes as long as it runs; it has `start` bytes from before.
     */
    async follow<T>(
      userId: string,
      { uploadId, size = Infinity, start = 0 }: { uploadId?: string; size?: number; start?: number },
      upload: () => Promise<T>,
    ): Promise<T> {
      const running = accounts.get(userId) ?? new Map<string, Running>();
      if (uploadId === undefined || (running.size >= limits.watchedUploads && !running.has(uploadId))) return upload();
      const own: Running = { taken: start };
      accounts.set(userId, running.set(uploadId, own));
      try {
        // Forms around the bytes count too, so that the number may come out a little high.
        return await measured((bytes) => void (own.taken = Math.min(start + bytes, size)), upload);
      } finally {
        // A later upload may have the same id by now.
        if (running.get(uploadId) === own) running.delete(uploadId);
        if (running.size === 0 && accounts.get(userId) === running) accounts.delete(userId);
      }
    },
    /** Bytes taken of those of the user's uploads that are running here. */
    uploadProgress: (userId: string, uploadIds: readonly string[]): { uploadId: string; taken: number }[] =>
      uploadIds.flatMap((uploadId) => {
        const taken = accounts.get(userId)?.get(uploadId)?.taken;
        return taken === undefined ? [] : [{ uploadId, taken }];
      }),
  };
}
