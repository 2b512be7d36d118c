import type { Body } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Dialer } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';
import { type Taker, createInbound, notedTaker } from '../../kit/http/http-inbound.ts';
import { type Sending, lastWord, openData } from './data.ts';
import { type Reply, refusal } from './errors.ts';
import type { Session } from './session.ts';

/** A running transfer from the server. */
export interface Download {
  /** Returns the next bytes, valid until the next call; undefined at the end. Rejects with `interrupted`, `timeout` or `aborted`. */
  next(): Promise<Buffer | undefined>;
  /**
   * Passes on what arrives, like the receiving side of HTTP; rejects as `next` does. Time during which `take` holds a buffer does not count
   * towards the timeout.
   */
  pump(take: Taker): Promise<boolean>;
  /** Waits for the server's final reply; rejects unless it confirms that everything was sent. */
  finish(): Promise<void>;
  /** Cancels: cuts the data connection and waits for the server's reply, so that the control connection can be reused. */
  abandon(): Promise<void>;
  /** Returns the memory of the transfer, after `finish` or `abandon`, when no bytes are lent any more. */
  release(): void;
}

/**
 * Starts a transfer (RETR, MLSD, LIST); resolves with only the reply when it is a plain refusal. `expected`: the likely number of bytes,
 * where it is known.
 */
export async function startDownload(
  session: Session,
  dialer: Dialer,
  signal: AbortSignal,
  sending: Sending,
  expected = Number.MAX_SAFE_INTEGER,
): Promise<Download | Reply> {
  let resume = () => {};
  const inbound = createInbound({ resume: () => resume() });
  inbound.expect(expected);
  const opened = await openData(session, dialer, signal, sending, inbound);
  if (!('socket' in opened)) return opened;

  const { socket, reply } = opened;
  const onAbort = () => socket.destroy(new ConnectorError('aborted', 'given up'));
  resume = () => socket.resume();
  signal.addEventListener('abort', onAbort, { once: true });
  socket.on('end', () => inbound.end());
  socket.on('error', (error: Error) =>
    inbound.end(error instanceof ConnectorError ? error : new ConnectorError('interrupted', 'the data connection broke', { cause: error })),
  );
  socket.on('close', () => inbound.end());
  // A short file may end before a listener is attached.
  if (socket.readableEnded || socket.destroyed) inbound.end();

  const settle = () => {
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  };
  const silent = () => socket.destroy(new ConnectorError('timeout', `silence for ${deadlines.silence} ms`, { retryable: true }));
  let abandoned: Promise<unknown> | undefined;
  return {
    async next() {
      const timer = setTimeout(silent, deadlines.silence);
      try {
        return await inbound.read();
      } finally {
        clearTimeout(timer);
      }
    },
    async pump(take) {
      let lent = false;
      const timer = setTimeout(() => (lent ? timer.refresh() : silent()), deadlines.silence);
      try {
        return await inbound.pump(
          notedTaker(take, (isLent) => {
            lent = isLent;
            timer.refresh();
          }),
        );
      } finally {
        clearTimeout(timer);
      }
    },
    async finish() {
      settle();
      if (reply.code >= 200) return;
      const last = await session.control.reply(signal);
      if (last.code >= 400) throw refusal(last, 'end of transfer');
    },
    async abandon() {
      settle();
      abandoned ??= lastWord(session);
      await abandoned;
    },
    release: () => inbound.release(),
  };
}

/** Wraps a download as a Body of exactly `size` bytes. Calls `release` once the control connection is free again. */
export function bodyOfDownload(
  download: Download,
  facts: { readonly size?: number; readonly entry: Body['entry'] },
  release: () => void,
): Body {
  let state: 'fresh' | 'draining' | 'over' = 'fresh';

  const isOver = (): boolean => state === 'over';
  const aborted = () => new ConnectorError('aborted', 'given up');

  /** Passes on bytes up to `size`; returns whether the server ended the transfer itself. */
  async function takeAll(take: Parameters<Body['drain']>[0]): Promise<boolean> {
    const size = facts.size ?? Number.POSITIVE_INFINITY;
    let arrived = 0;
    const isEnough = await download.pump((chunk) => {
      if (isOver()) throw aborted();
      const wanted = chunk.length <= size - arrived ? chunk : chunk.subarray(0, size - arrived);
      arrived += wanted.length;
      // For an empty file, waits until the server ends the transfer.
      const more = arrived < size || size === 0;
      const taken = take(wanted);
      return taken ? taken.then(() => more) : more;
    });
    if (isEnough) return false;
    if (isOver()) throw aborted();
    if (facts.size !== undefined && arrived < facts.size) throw new ConnectorError('interrupted', `${arrived} of ${facts.size} bytes came`);
    return true;
  }

  return {
    ...facts,
    async drain(take) {
      state = 'draining';
      try {
        if (await takeAll(take)) await download.finish();
        else await download.abandon();
        download.release();
      } catch (error) {
        await download.abandon();
        throw error;
      } finally {
        state = 'over';
        release();
      }
    },
    cancel() {
      if (state === 'over') return;
      state = 'over';
      // Frees the control connection even if `take` still holds a buffer.
      void download.abandon().finally(release);
    },
  };
}
