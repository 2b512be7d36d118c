import { measured } from '@sheaf/connectors';

/** How much of the running uploads of this process the storages have taken, by the ids that clients have given them. */
export function createUploadProgress() {
  const running = new Map<string, number>();
  const keyOf = (userId: string, uploadId: string): string => `${userId} ${uploadId}`;
  return {
    /** Runs an upload of `size` bytes, if that is known, and counts what the storage takes as long as it runs. */
    async follow<T>(
      userId: string,
      { uploadId, size = Infinity }: { uploadId?: string; size?: number },
      upload: () => Promise<T>,
    ): Promise<T> {
      if (uploadId === undefined) return upload();
      const key = keyOf(userId, uploadId);
      running.set(key, 0);
      try {
        // Forms around the bytes count too, so that the number may come out a little high.
        return await measured((bytes) => void (running.has(key) && running.set(key, Math.min(bytes, size))), upload);
      } finally {
        running.delete(key);
      }
    },
    /** Bytes taken of those of the user's uploads that are running here. */
    uploadProgress: (userId: string, uploadIds: readonly string[]): { uploadId: string; taken: number }[] =>
      uploadIds.flatMap((uploadId) => {
        const taken = running.get(keyOf(userId, uploadId));
        return taken === undefined ? [] : [{ uploadId, taken }];
      }),
  };
}
