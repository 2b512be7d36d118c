import type { ServerResponse } from 'node:http';
import type { Body } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

/** Smallest chunk that gets its own system call. */
const large = 64 * 1024;

/** Milliseconds for a client to take a chunk, or this many bytes of a longer one. */
const defaultTimeout = 60_000;
const leastTaken = 512 * 1024;

interface Options {
  /** Milliseconds without progress after which a client counts as gone. */
  readonly timeout?: number;
  /** Expected number of bytes. */
  readonly expected?: number;
  readonly provider: string;
  /** Writes the head: called before the first byte, or at the end of an empty body. If the source fails earlier, nothing has been sent. */
  readonly begin: () => void;
}

/**
 * Sends a body as an answer. Chunks go to the socket without copying and return to the source once the system has taken them, so memory does not grow
 * with the file. A client that disconnects, or takes nothing for a minute, stops the source; a source that breaks off, or sends a number of bytes
 * other than `expected`, ends the connection, so that no client takes a part for the whole. Rejects in all these cases.
 */
export async function writeBody(
  body: Body,
  response: ServerResponse,
  { expected, provider, begin, timeout = defaultTimeout }: Options,
): Promise<void> {
  const cut = () => appError('TRANSFER_CUT', { provider });
  let hasLength = false;
  let sent = 0;
  let hasBegun = false;
  let isHeadSent = false;
  let failure: Error | undefined;
  const waiting = new Set<(reason: Error) => void>();
  const stop = () => {
    body.cancel();
    for (const giveUp of waiting) giveUp(cut());
  };

  /**
   * Destination of the next chunk. The response delays each write by a tick to join it with others; the socket takes it at once, which is allowed
   * when the bytes need no framing and no bytes of the response are waiting.
   */
  function outlet(chunk: Uint8Array): Pick<ServerResponse, 'write'> {
    const { socket } = response;
    const isFree = isHeadSent && hasLength && chunk.byteLength >= large && response.writableLength === 0;
    isHeadSent = true;
    return isFree && socket ? socket : response;
  }

  function beginOnce(): void {
    if (hasBegun) return;
    hasBegun = true;
    begin();
    hasLength = response.hasHeader('content-length');
  }

  function take(chunk: Uint8Array): Promise<void> | undefined {
    sent += chunk.byteLength;
    if (failure || response.closed || (expected !== undefined && sent > expected)) throw cut();
    beginOnce();
    let settle = (error: Error | undefined): void => {
      failure ??= error;
    };
    outlet(chunk).write(chunk, (error) => settle(error ?? undefined));
    if (response.writableLength === 0) return undefined;
    return new Promise((resolve, reject) => {
      // An unread body would keep one of the link's connections from others.
      const timer = setTimeout(stop, timeout * Math.max(1, chunk.byteLength / leastTaken));
      const giveUp = (reason: Error) => {
        clearTimeout(timer);
        reject(reason);
      };
      waiting.add(giveUp);
      settle = (error) => {
        clearTimeout(timer);
        waiting.delete(giveUp);
        if (error) reject(error);
        else resolve();
      };
    });
  }

  response.once('close', stop);
  try {
    if (response.closed) throw cut();
    await body.drain(take);
    if (failure || (expected !== undefined && sent !== expected)) throw cut();
    beginOnce();
    response.end();
  } catch (error) {
    if (hasBegun) response.destroy();
    throw error;
  } finally {
    response.off('close', stop);
    body.cancel();
  }
}
