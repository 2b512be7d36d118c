/** Bytes that the storage has taken, by upload id; uploads that the answering server does not run are missing. */
export type RequestProgress = (uploadIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

interface Deps {
  readonly ask: RequestProgress;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Milliseconds between two questions. */
const askEvery = 1000;

/** Asks the server once a second about all running uploads together. */
export function createProgress({ ask, pause }: Deps) {
  const followed = new Map<string, (taken: number | undefined) => void>();
  let isAsking = false;

  async function askOn(): Promise<void> {
    while (followed.size > 0) {
      await pause(askEvery);
      const uploadIds = [...followed.keys()];
      if (uploadIds.length === 0) break;
      // A question that fails says nothing about the uploads: the next one may succeed.
      const taken = await ask(uploadIds).catch(() => undefined);
      if (taken) for (const uploadId of uploadIds) followed.get(uploadId)?.(taken.get(uploadId));
    }
    isAsking = false;
  }

  return {
    /** Calls `onTaken` with every answer about the upload, undefined when it is unknown; the returned function ends that. */
    follow(uploadId: string, onTaken: (taken: number | undefined) => void): () => void {
      followed.set(uploadId, onTaken);
      if (!isAsking) {
        isAsking = true;
        void askOn();
      }
      return () => void followed.delete(uploadId);
    },
  };
}
