import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Packet, costOf, createPacketReader } from './packets.ts';

/** Most requests that are answered at the same time, and the bytes that they hold. */
const mostAtOnce = { requests: 64, bytes: 4 * 1024 * 1024 };

/** An answer whose last bytes are in memory of their own. */
interface LongAnswer {
  readonly head: Buffer;
  readonly data: Uint8Array;
  /** Called when the data has been sent. */
  readonly release: () => void;
}
export type Answer = Buffer | LongAnswer;

interface Options {
  readonly answered: (packet: Packet) => Promise<Answer>;
  readonly signal: AbortSignal;
  /** Called with each chunk that has been read, whose memory nobody needs any more. */
  readonly taken: (chunk: Buffer) => void;
  /** Called when no more requests come. */
  readonly atEnd: () => void;
}

/**
 * Answers the requests of a channel until it ends, several at the same time, each when it is done. Rejects for packets that are too long. Calls
 * `atEnd` when no more requests come, and waits for the answers that are under way.
 */
export async function answerAll(channel: Duplex, { answered, signal, taken, atEnd }: Options): Promise<void> {
  let drained: Promise<undefined> | undefined;
  function write(answer: Answer): boolean {
    if (Buffer.isBuffer(answer)) return channel.write(answer);
    channel.write(answer.head);
    return channel.write(answer.data, answer.release);
  }
  async function send(answer: Answer): Promise<void> {
    if (channel.destroyed || channel.writableEnded) return;
    if (write(answer)) return;
    // All answers share one wait for room in the channel.
    drained ??= once(channel, 'drain', { signal }).then(
      () => (drained = undefined),
      () => (drained = undefined),
    );
    await drained;
  }

  /** Requests that have arrived, and wait for others to be answered: those of one chunk, as no more is read meanwhile. */
  const waiting: Packet[] = [];
  const running = new Set<Promise<void>>();
  let bytesRunning = 0;
  const ended = Promise.withResolvers<void>();
  const isFull = (): boolean => running.size >= mostAtOnce.requests || (bytesRunning >= mostAtOnce.bytes && running.size > 0);

  function begin(packet: Packet): void {
    const cost = costOf(packet);
    bytesRunning += cost;
    const task: Promise<void> = answered(packet)
      .then(send)
      .finally(() => {
        running.delete(task);
        bytesRunning -= cost;
        goOn();
      });
    running.add(task);
    task.catch((error: unknown) => channel.destroy(error instanceof Error ? error : undefined));
  }
  function goOn(): void {
    while (!isFull()) {
      const packet = waiting.shift();
      if (!packet) break;
      begin(packet);
    }
    if (isFull()) channel.pause();
    else if (channel.isPaused()) channel.resume();
  }

  const reader = createPacketReader((packet) => waiting.push(packet));
  const hear = (chunk: Buffer): void => {
    try {
      reader.push(chunk);
    } catch (error) {
      channel.off('data', hear).resume();
      ended.reject(error);
    }
    taken(chunk);
    goOn();
  };
  channel.on('data', hear).once('end', ended.resolve).once('close', ended.resolve).once('error', ended.reject);
  try {
    await ended.promise;
  } finally {
    waiting.length = 0;
    atEnd();
    // A file that is being stored may be stored: the client has closed it.
    await Promise.allSettled(running);
  }
}
