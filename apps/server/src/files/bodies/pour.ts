import type { ServerResponse } from 'node:http';
import type { Body } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

/** Bytes from which a chunk is worth a system call of its own. */
const large = 64 * 1024;

/** ms in which a client has to take a chunk, or so many bytes of a longer one. */
const usualPatience = 60_000;
const leastTaken = 512 * 1024;

interface Options {
  /** ms without a byte taken after which a client is taken for gone. */
  readonly patience?: number;
  /** Bytes that must come. */
  readonly expected?: number;
  readonly provider: string;
  /** Writes the head: called before the first byte goes out, or at the end of a body without bytes. A source that fails before leaves the answer untouched. */
  readonly begin: () => void;
}

/**
 * Sends a body as an answer. Chunks go to the socket as they are, and go back to the source when the system
 * has taken them, at once where it can, so memory does not grow with the file. A client that goes away, or takes nothing for a minute, stops the source; a source that breaks off, or sends
 * another number of bytes than `expected`, breaks the connection off, so that no client takes a part for the whole. Rejects in all these cases.
 */
export async function pour(
  body: Body,
  response: ServerResponse,
  { expected, provider, begin, patience = usualPatience }: Options,
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
   * Where the next chunk goes. The answer itself holds each write back for a tick, to join it with others; the socket takes it at once, which it may where no
   * framing is to be put around the bytes and none of the answer's wait.
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
      // Whoever holds a body open without reading it would keep a connection of the link from everybody else.
      const timer = setTimeout(stop, patience * Math.max(1, chunk.byteLength / leastTaken));
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
