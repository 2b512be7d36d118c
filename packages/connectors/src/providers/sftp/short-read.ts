import type { Body } from '../../core/connector.ts';
import { blocks } from './download.ts';
import { aborted } from './errors.ts';
import type { Lease } from './session/pool.ts';

/** Most bytes that every server returns at once: draft-ietf-secsh-filexfer-02, section 3. */
export const mostAtOnce = 32 * 1024;

/**
 * Opens a file of a known size below {@link mostAtOnce} for its bytes alone: two round trips. Its body ends early where the file is shorter,
 * and has one byte more where it is longer. The lease ends with the body, or at once on failure.
 */
export async function openShort({ connection, release }: Lease, path: Buffer, size: number, signal: AbortSignal): Promise<Body> {
  const { commands } = connection;
  const handle = await commands.openRead(path).catch((error: unknown) => {
    release();
    throw error;
  });
  let isOver = false;
  const close = () => {
    if (isOver) return;
    isOver = true;
    void Promise.allSettled([commands.close(handle)]);
    release();
  };
  if (signal.aborted) {
    close();
    throw aborted();
  }
  return {
    entry: {},
    async drain(take) {
      if (isOver) throw aborted();
      const buffer = blocks.take();
      const reading = commands.session.read(handle, 0, buffer.subarray(0, size + 1));
      // In the same packet: the server answers the read before it closes the file.
      close();
      const count = await reading;
      if (signal.aborted) throw aborted();
      if (count > 0) await take(buffer.subarray(0, count));
      blocks.give(buffer);
    },
    cancel: close,
  };
}
