import type { OnReadOpts, Socket } from 'node:net';
import type { Dialer } from '../../core/dialer.ts';
import { isKind } from '../../core/error.ts';
import type { Series } from './control.ts';
import { type Reply, isPlainNo, refusal } from './errors.ts';
import type { Session } from './session.ts';

/** A data connection with the server's reply that the transfer has started. */
export interface DataConnection {
  readonly socket: Socket;
  readonly reply: Reply;
}

/** The commands for one data connection. */
export interface Sending {
  /** Lines that may be sent together with the request for the port. */
  readonly lines: readonly string[];
  /**
   * Waits for all their replies, and sends the remaining commands; resolves with the reply to the command that uses the data connection.
   * Calls `expect` once the number of bytes to come is known.
   */
  readonly answered: (series: Series, expect: (bytes: number) => void) => Promise<Reply>;
}

/** A single command without preceding queries. */
export const only = (line: string): Sending => ({ lines: [line], answered: (series) => series.next() });

/**
 * Opens a data connection and sends the command that uses it; resolves with only the reply when it is a plain refusal. Both happen
 * concurrently: with TLS the server starts the handshake only after the command.
 */
export async function openData(
  session: Session,
  dialer: Dialer,
  signal: AbortSignal,
  { lines, answered }: Sending,
  inbound?: { readonly onread: OnReadOpts; readonly expect: (bytes: number) => void },
): Promise<DataConnection | Reply> {
  const { port, series } = await session.passive(signal, lines);
  const gone = new AbortController();
  const giveUp = () => gone.abort();
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  const target = { ...session.dataTarget(port), signal: gone.signal };
  const dialed = dialer.connect(inbound ? { ...target, onread: inbound.onread } : target).then(
    // There is no listener yet, and a server that refuses may reset the connection: users of the socket see that it is destroyed.
    (socket) => ({ socket: socket.on('error', () => undefined) }),
    (error: unknown) => ({ error }),
  );
  void dialed.then(() => signal.removeEventListener('abort', giveUp));
  try {
    const reply = await answered(series, inbound?.expect ?? (() => undefined));
    if (reply.code < 400) {
      const outcome = await dialed;
      if ('socket' in outcome) return { socket: outcome.socket, reply };
      // Without its data connection the server may block for long; the control connection is unusable.
      session.close();
      throw outcome.error;
    }
    if (!isPlainNo(reply)) throw refusal(reply, 'transfer');
    gone.abort();
    await closeLate(dialed);
    return reply;
  } catch (error) {
    gone.abort();
    await closeLate(dialed);
    throw error;
  }
}

async function closeLate(dialed: Promise<{ socket: Socket } | { error: unknown }>): Promise<void> {
  const late = await dialed;
  if ('socket' in late) late.socket.destroy();
}

/** Milliseconds to wait for a server's final reply about an interrupted transfer. */
const lastWordTime = 2_000;
const never = new AbortController().signal;

/**
 * Waits for the server's final reply (226, 426 or an error) after a data connection was cut; undefined when the control connection has
 * ended too. Closes the connection after two seconds of silence.
 */
export async function lastWord({ control }: Session): Promise<Reply | undefined> {
  if (control.dead) return undefined;
  try {
    return await control.reply(never, lastWordTime);
  } catch (error) {
    if (!isKind(error, 'aborted', 'interrupted', 'timeout', 'unreachable')) throw error;
    control.close();
    return undefined;
  }
}
