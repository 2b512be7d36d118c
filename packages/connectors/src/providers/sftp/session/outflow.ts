import type { Readable } from 'node:stream';
import { ConnectorError } from '../../../core/error.ts';
import { giveBack } from '../../../kit/body/body-memory.ts';
import { startSending } from '../../../kit/body/upload-meter.ts';
import { packet } from '../api.ts';
import { blocks } from '../download.ts';
import { aborted } from '../errors.ts';
import type { Session } from './session.ts';

/** Concurrent WRITE requests. */
const ahead = 16;

interface Outflow {
  readonly handle: Buffer;
  readonly body: Readable;
  readonly signal: AbortSignal;
  /** Offset in the file at which the body begins, in bytes; 0 by default. */
  readonly from?: number;
  /** Maximum size of the body in bytes. */
  readonly most?: number | undefined;
}

/**
 * Writes a body to an open file, beginning at `from`, and returns the number of bytes. Rejects with `sizeDiffers` as soon as more than
 * `most` arrive, and with `interrupted` when the body fails.
 */
export async function sendBody(
  session: Session,
  { handle, body, signal, from = 0, most = Number.POSITIVE_INFINITY }: Outflow,
): Promise<number> {
  /** Length, type, id, handle, offset, data length: the header of a WRITE. */
  const headSize = 4 + 1 + 4 + 4 + handle.length + 8 + 4;
  let failure: ConnectorError | undefined;
  let wake = (): void => undefined;
  let out = 0;
  let arrived = 0;
  let block = blocks.take();
  let filled = 0;
  const sending = startSending();

  const fail = (error: unknown) => {
    failure ??= error instanceof ConnectorError ? error : new ConnectorError('interrupted', 'the body broke off', { cause: error });
    body.destroy();
    wake();
  };
  const giveUp = () => fail(aborted());

  /** Reads the next chunk; does not hang on a body that never ends, even when destroyed. */
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const nextChunk = () =>
    new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
      wake = () => failure && reject(failure);
      wake();
      chunks.next().then(resolve, reject);
    });

  function flush(): void {
    const whole = block;
    const size = filled;
    const offset = from + arrived - filled;
    whole.writeUInt32BE(headSize - 4 + filled, 0);
    whole.writeUInt8(packet.write, 4);
    whole.writeUInt32BE(handle.length, 9);
    handle.copy(whole, 13);
    const at = 13 + handle.length;
    whole.writeUInt32BE(Math.floor(offset / 0x1_0000_0000), at);
    whole.writeUInt32BE(offset % 0x1_0000_0000, at + 4);
    whole.writeUInt32BE(filled, at + 8);
    out += 1;
    session.write(whole.subarray(0, headSize + filled)).then(() => {
      sending.add(size);
      blocks.give(whole);
      out -= 1;
      wake();
    }, fail);
    block = blocks.take();
    filled = 0;
  }

  async function roomFor(requests: number): Promise<void> {
    while (out > requests && !failure) await new Promise<void>((resolve) => (wake = resolve));
    if (failure) throw failure;
  }

  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    for (let step = await nextChunk(); !step.done; step = await nextChunk()) {
      const chunk = step.value;
      if (arrived + chunk.byteLength > most) throw new ConnectorError('sizeDiffers', `more than the announced ${most} bytes came`);
      for (let at = 0; at < chunk.byteLength;) {
        const count = Math.min(session.maxWrite - filled, chunk.byteLength - at);
        block.set(chunk.subarray(at, at + count), headSize + filled);
        filled += count;
        arrived += count;
        at += count;
        if (filled === session.maxWrite) {
          flush();
          await roomFor(ahead - 1);
        }
      }
      giveBack(body, chunk);
    }
    if (filled > 0) flush();
    await roomFor(0);
  } catch (error) {
    fail(error);
    sending.undo();
    throw failure ?? error;
  } finally {
    signal.removeEventListener('abort', giveUp);
    blocks.give(block);
  }
  return arrived;
}
