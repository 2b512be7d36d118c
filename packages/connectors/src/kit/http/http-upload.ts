import type { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import { giveBack } from '../body/body-memory.ts';
import type { Chunks } from '../body/chunks.ts';
import type { Sending } from '../body/upload-meter.ts';
import type { Connection } from './http-connection.ts';

/** Progress of an upload, observed while waiting for the response. */
export interface UploadState {
  /** Whether a byte of the stream was read: then it cannot be sent again. */
  touched: boolean;
  /** Whether everything was passed to the socket. */
  complete: boolean;
  /** Whether the remaining bytes are no longer wanted. */
  stopped: boolean;
  /** Counts the bytes that the system has sent. */
  readonly sending: Sending;
  /** Bytes of the body passed to the socket. */
  sent: number;
}

/**
 * Sends a stream: unframed when its `size` in bytes is known, otherwise in chunks (RFC 9112, section 7.1). Holds back the last bytes of a
 * known size until the stream has ended, so that a server never accepts a body of another length as complete. Rejects with `sizeDiffers`,
 * or with `interrupted` when the stream fails. Returns early, without an error, when the connection breaks or `state.stopped` is set: the
 * response then gives the reason.
 */
export async function sendStream(connection: Connection, body: Readable, size: number | undefined, state: UploadState): Promise<void> {
  state.touched = true;
  await unlessAnswered(connection, state, () =>
    size === undefined ? sendChunked(connection, body, state) : sendSized(connection, body, size, state),
  );
}

/**
 * Sends bytes in memory. They count as complete when the system has taken all of them: their memory may be freed then. Returns early as
 * {@link sendStream} does.
 */
export async function sendChunks(connection: Connection, chunks: Chunks, state: UploadState): Promise<void> {
  let left = chunks.length;
  state.complete = left === 0;
  await unlessAnswered(connection, state, async () => {
    for (const chunk of chunks) {
      if (state.stopped) return;
      const { byteLength } = chunk;
      state.sent += byteLength;
      const room = connection.writePiece(chunk, () => {
        state.sending.add(byteLength);
        left -= 1;
        state.complete = left === 0;
      });
      if (room !== true) await room;
    }
  });
}

/**
 * Waits for the end of a stream announced as empty, which may have ended already. Rejects with `sizeDiffers` when a byte arrives, with
 * `interrupted` when the stream fails and with `aborted` when the signal aborts first; then destroys the stream.
 */
export async function expectNothing(body: Readable, signal: AbortSignal): Promise<void> {
  if (body.readableEnded) return;
  const giveUp = (): void => void body.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>)
      if (chunk.byteLength > 0) throw new ConnectorError('sizeDiffers', 'more than 0 bytes came');
  } catch (error) {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up');
    if (error instanceof ConnectorError) throw error;
    throw new ConnectorError('interrupted', 'the bytes to be sent stopped coming', { cause: error });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function unlessAnswered(connection: Connection, state: UploadState, send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (state.stopped || !connection.usable) return;
    if (error instanceof ConnectorError) throw error;
    throw new ConnectorError('interrupted', 'the bytes to be sent stopped coming', { cause: error });
  }
}

async function sendSized(connection: Connection, body: Readable, size: number, state: UploadState): Promise<void> {
  let sent = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (state.stopped) return;
    if (chunk.byteLength === 0) continue;
    sent += chunk.byteLength;
    state.sent = sent;
    if (sent > size) throw new ConnectorError('sizeDiffers', `more than ${size} bytes came`);
    if (sent === size) last = chunk;
    else {
      const { byteLength } = chunk;
      const room = connection.writePiece(chunk, () => {
        state.sending.add(byteLength);
        giveBack(body, chunk);
      });
      if (room !== true) await room;
    }
  }
  if (sent !== size) throw new ConnectorError('sizeDiffers', `${sent} of ${size} bytes came`);
  state.complete = true;
  if (last) await connection.write(last);
  state.sending.add(last?.byteLength ?? 0);
}

async function sendChunked(connection: Connection, body: Readable, state: UploadState): Promise<void> {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (state.stopped) return;
    if (chunk.byteLength === 0) continue;
    await connection.write(`${chunk.byteLength.toString(16)}\r\n`, chunk, '\r\n');
    state.sending.add(chunk.byteLength);
    state.sent += chunk.byteLength;
  }
  state.complete = true;
  await connection.write('0\r\n\r\n');
}
