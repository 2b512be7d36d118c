import type { FileWriter } from './writing.ts';

interface Interrupted {
  readonly writer: FileWriter;
  readonly timer: NodeJS.Timeout;
}

/** Milliseconds for which an interrupted upload waits: less than storages wait for the next bytes. */
const usualPatience = 45_000;
/** Uploads that wait; the oldest is given up when there are more. */
const mostWaiting = 50;

export type InterruptedUploads = ReturnType<typeof createInterruptedUploads>;

/** Uploads of new files whose connection broke: they stay open for a while at the storage, so that the client may continue them. */
export function createInterruptedUploads(patience = usualPatience) {
  const waiting = new Map<string, Interrupted>();
  const keyOf = (appPasswordId: string, path: string): string => `${appPasswordId} ${path}`;

  function take(key: string): FileWriter | undefined {
    const one = waiting.get(key);
    if (!one) return undefined;
    clearTimeout(one.timer);
    waiting.delete(key);
    return one.writer.canContinue() ? one.writer : undefined;
  }
  function giveUp(key: string): boolean {
    const writer = take(key);
    writer?.abandon();
    return writer !== undefined;
  }

  return {
    /** Uploads of one app password, by the paths that it sees. */
    of: (appPasswordId: string) => ({
      /** Keeps an upload open, unless it has failed. */
      keep(path: string, writer: FileWriter): void {
        const key = keyOf(appPasswordId, path);
        giveUp(key);
        if (!writer.canContinue()) {
          writer.abandon();
          return;
        }
        writer.interrupt();
        const [oldest] = waiting.keys();
        if (waiting.size >= mostWaiting && oldest !== undefined) giveUp(oldest);
        waiting.set(key, { writer, timer: setTimeout(() => giveUp(key), patience).unref() });
      },
      /** Bytes that have arrived; undefined where no upload waits. */
      size(path: string): number | undefined {
        const writer = waiting.get(keyOf(appPasswordId, path))?.writer;
        return writer?.canContinue() ? writer.size() : undefined;
      },
      /** The upload, for the client that continues it. */
      take: (path: string): FileWriter | undefined => take(keyOf(appPasswordId, path)),
      /** Abandons the upload; returns whether there was one. */
      giveUp: (path: string): boolean => giveUp(keyOf(appPasswordId, path)),
    }),
    /** Abandons all uploads. */
    close(): void {
      for (const key of waiting.keys()) giveUp(key);
    },
  };
}
