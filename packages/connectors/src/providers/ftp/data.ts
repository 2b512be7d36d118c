import type { OnReadOpts, Socket } from 'node:net';
import type { Dialer } from '../../core/dialer.ts';
import { isKind } from '../../core/error.ts';
import { type Reply, isPlainNo, refusal } from './errors.ts';
import type { Session } from './session.ts';

/** A data connection, and the server's word that the transfer has begun. */
export interface DataConnection {
  readonly socket: Socket;
  readonly reply: Reply;
}

/**
 * Opens a data connection and sends the command that uses it; a plain "no" comes back as the reply alone. Connection and command go out at the same time: with TLS the
 * server shakes hands only once it knows what is wanted.
 */
export async function openData(
  session: Session,
  dialer: Dialer,
  signal: AbortSignal,
  send: () => Promise<Reply>,
  onread?: OnReadOpts,
): Promise<DataConnection | Reply> {
  const gone = new AbortController();
  const target = { ...session.dataTarget(await session.passive(signal)), signal: AbortSignal.any([signal, gone.signal]) };
  const dialed = dialer.connect(onread ? { ...target, onread } : target).then(
    // Nobody listens yet, and a server that refuses may reset what it has accepted: whoever uses the socket sees that it is destroyed.
    (socket) => ({ socket: socket.on('error', () => undefined) }),
    (error: unknown) => ({ error }),
  );
  try {
    const reply = await send();
    if (reply.code < 400) {
      const outcome = await dialed;
      if ('socket' in outcome) return { socket: outcome.socket, reply };
      // Without its data connection the server may wait for long; its control connection is of no more use.
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

/** After a cut the server still says 226 or 426, or why it ended; undefined where the control connection has ended too. One that says nothing for two seconds loses its connection. */
export async function lastWord({ control }: Session): Promise<Reply | undefined> {
  if (control.dead) return undefined;
  try {
    return await control.reply(AbortSignal.timeout(2_000));
  } catch (error) {
    if (!isKind(error, 'aborted', 'interrupted', 'timeout', 'unreachable')) throw error;
    control.close();
    return undefined;
  }
}
