import { Readable } from 'node:stream';
import { unlessAborted } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

interface Options {
  /** The first byte that is expected. */
  readonly start: number;
  /** Bytes of the file. */
  readonly size: number;
  /** A request that ends at a multiple of so many bytes waits until the storage has confirmed them. */
  readonly partSize: number | undefined;
  /** Stores the bytes; calls `confirm` with the bytes from the beginning that the storage has. */
  readonly store: (input: Readable, signal: AbortSignal, confirm: (position: number) => void) => Promise<void>;
  /** ms without a client after which the upload ends; it can be continued from the last confirmed byte. */
  readonly patience: number;
}

/** An upload whose bytes arrive in this process, by one request after another: the storage sees one body. */
export interface Running {
  /** The next byte that is expected. */
  taken(): number;
  /** Passes on a request's bytes. Ends when they are passed on; at the end of the file, when it is stored. */
  feed(body: Readable): Promise<void>;
  /** Ends the request that is feeding, if any, and waits for its end. */
  interrupt(): Promise<void>;
  /** Settles when the file is stored, or rejects when it cannot be. */
  readonly outcome: Promise<void>;
  /** Gives up: the storage keeps what it has confirmed. */
  end(): void;
}

/** Bytes that are taken from the client before the storage takes them. */
const readAhead = 1 << 20;

const moved = (): Error => appError('TRANSFER_STATE', {});

/** Starts an upload in this process. */
export function startRunning({ start, size, partSize, store, patience }: Options): Running {
  const life = new AbortController();
  let taken = start;
  let confirmed = start;
  let feeder: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  let wake = (): void => undefined;
  const input = new Readable({ highWaterMark: readAhead, read: () => wake() });
  // Readers get the error; without a reader it must not end the process.
  input.on('error', () => undefined);
  life.signal.addEventListener('abort', () => input.destroy(life.signal.reason as Error), { once: true });
  let idle = setTimeout(() => life.abort(moved()), patience);
  const confirmations = new Set<() => void>();
  const confirm = (position: number): void => {
    confirmed = position;
    for (const seen of confirmations) seen();
  };
  const outcome = store(input, life.signal, confirm).catch((error: unknown) => {
    life.abort(error);
    throw error;
  });
  outcome.then(
    () => clearTimeout(idle),
    () => clearTimeout(idle),
  );

  const room = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const confirmation = (position: number): Promise<void> =>
    new Promise((resolve) => {
      const seen = (): void => {
        if (confirmed < position) return;
        confirmations.delete(seen);
        resolve();
      };
      confirmations.add(seen);
      seen();
    });

  async function pass(body: Readable, signal: AbortSignal): Promise<void> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      if (chunk.byteLength === 0) continue;
      if (taken + chunk.byteLength > size) throw appError('BODY_TOO_LARGE', {});
      taken += chunk.byteLength;
      const awaited = room();
      if (!input.push(chunk)) await unlessAborted(awaited, signal);
    }
    if (taken === size) {
      input.push(null);
      await unlessAborted(outcome, signal);
    } else if (partSize !== undefined && taken % partSize === 0) await unlessAborted(confirmation(taken), signal);
  }

  if (start === size) input.push(null);
  return {
    taken: () => taken,
    outcome,
    async feed(body) {
      clearTimeout(idle);
      const stop = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      feeder = { stop, ended };
      const signal = AbortSignal.any([stop.signal, life.signal]);
      const leave = (): void => void body.destroy(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
      try {
        await pass(body, signal);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', leave);
        feeder = undefined;
        if (!life.signal.aborted && taken < size) idle = setTimeout(() => life.abort(moved()), patience);
        resolve();
      }
    },
    async interrupt() {
      const hanging = feeder;
      hanging?.stop.abort(moved());
      await hanging?.ended;
    },
    end: () => life.abort(moved()),
  };
}
