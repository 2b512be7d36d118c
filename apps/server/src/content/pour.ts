import type { ServerResponse } from 'node:http';
import type { Body } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

/**
 * Sends a body as the rest of an answer whose head is written. Chunks go to the socket as they are, and go back to the source when the system
 * has taken them, so memory does not grow with the file. A client that goes away stops the source; a source that breaks off, or sends another
 * number of bytes than `expected`, breaks the connection off, so that no client takes a part for the whole. Rejects in both cases.
 */
export async function pour(
  body: Body,
  response: ServerResponse,
  { expected, provider }: { expected?: number; provider: string },
): Promise<void> {
  let sent = 0;
  const waiting = new Set<(reason: Error) => void>();
  const stop = () => {
    body.cancel();
    for (const giveUp of waiting) giveUp(appError('TRANSFER_CUT', { provider }));
  };
  const take = (chunk: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      sent += chunk.byteLength;
      if (response.closed || (expected !== undefined && sent > expected)) return reject(appError('TRANSFER_CUT', { provider }));
      waiting.add(reject);
      response.write(chunk, (error) => {
        waiting.delete(reject);
        if (error) reject(error);
        else resolve();
      });
    });
  response.once('close', stop);
  try {
    if (response.closed) throw appError('TRANSFER_CUT', { provider });
    await body.drain(take);
    if (expected !== undefined && sent !== expected) throw appError('TRANSFER_CUT', { provider });
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    response.off('close', stop);
    body.cancel();
  }
}
