import { Readable } from 'node:stream';
import { type Body, lendChunks } from '@sheaf/connectors';

/** Looks at a chunk before it goes on; its memory is valid until the promise settles. */
export type See = (chunk: Uint8Array) => Promise<void> | undefined;

/**
 * A source's body as the body of a write. The source pauses while the destination takes nothing, and stops when the stream is destroyed; its failure is
 * the stream's. Chunks are copied, because the source reuses their memory. `onEnd` is called when the source has sent everything.
 */
export function streamOf(body: Body, see: See, onEnd?: () => void): Readable {
  /** Takers that wait until the destination reads on; a source may hand on several chunks at once. */
  let waiting: (() => void)[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    try {
      await body.drain((chunk) => {
        const seen = see(chunk);
        const own = Buffer.allocUnsafeSlow(chunk.byteLength);
        own.set(chunk);
        if (stream.destroyed) return seen;
        const isTaken = stream.push(own);
        if (isTaken) return seen;
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        return seen ? Promise.all([promise, seen]).then(() => undefined) : promise;
      });
      onEnd?.();
      stream.push(null);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error('the source failed', { cause: error }));
    }
  }

  function goOn(): void {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  }

  const stream: Readable = lendChunks(
    new Readable({
      highWaterMark: 1024 * 1024,
      read() {
        if (!isRunning) {
          isRunning = true;
          void run();
        }
        goOn();
      },
      destroy(error, done) {
        body.cancel();
        goOn();
        done(error);
      },
    }),
  );
  // The writer hears of a failure; without one it must not end the process.
  stream.on('error', () => undefined);
  return stream;
}
