import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { WriteOptions } from '../../core/connector.ts';
import { answerAfter, deadlines } from '../../core/deadlines.ts';
import type { Dialer } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';
import { giveBack } from '../../kit/body/body-memory.ts';
import { type Sending, startSending } from '../../kit/body/upload-meter.ts';
import { type Sending as Sent, lastWord, openData } from './data.ts';
import { type Reply, refusal } from './errors.ts';
import type { Session } from './session.ts';

/** Bytes buffered before backpressure applies; a socket's small default would alternate between reading and writing. */
const mostWaiting = 1024 * 1024;

/**
 * Sends the body with the last command of `command` (STOR); resolves with the number of bytes once the server has confirmed them, or with a
 * plain refusal.
 */
export async function upload(session: Session, dialer: Dialer, body: Readable, ask: WriteOptions, command: Sent): Promise<number | Reply> {
  const opened = await openData(session, dialer, ask.signal, command);
  if (!('socket' in opened)) return opened;
  const { socket } = opened;
  const sending = startSending();
  const onAbort = () => {
    const given = new ConnectorError('aborted', 'given up');
    socket.destroy(given);
    body.destroy(given);
  };
  ask.signal.addEventListener('abort', onAbort, { once: true });
  const silent = () => socket.destroy(new ConnectorError('timeout', `silence for ${deadlines.silence} ms`));
  socket.setTimeout(deadlines.silence, silent);
  try {
    const sent = await pump(body, socket, sending, ask);
    socket.end();
    const last = await session.control.reply(ask.signal, answerAfter(sent));
    if (last.code >= 400) throw endOfStore(last);
    return sent;
  } catch (error) {
    sending.undo();
    body.destroy();
    throw error instanceof BrokenOff ? await whyBrokenOff(session, error) : error;
  } finally {
    ask.signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

/** The server closed the data connection before it had received everything. */
class BrokenOff extends ConnectorError {
  constructor(cause?: Error) {
    super('interrupted', 'the server closed the data connection', { cause });
  }
}

/** Returns the error from the server's final reply, where there is one. */
async function whyBrokenOff(session: Session, error: BrokenOff): Promise<ConnectorError> {
  const last = await lastWord(session);
  return last && last.code >= 400 ? endOfStore(last) : error;
}

/**
 * RFC 959, section 4.2.2, defines 452 and 552 for a full disk, but most servers reply with 451: vsftpd for every failed write, ProFTPD for
 * a partial write, which it reports as an input/output error.
 */
const noRoom = /no space|not enough|disk (?:is )?full|quota|writing to local file|input\/output error/i;
const endOfStore = (last: Reply): ConnectorError =>
  last.code === 451 && noRoom.test(last.lines.join(' '))
    ? new ConnectorError('full', `end of STOR: ${last.code}`)
    : refusal(last, 'end of STOR');

/**
 * Writes everything with backpressure. Rejects with `sizeDiffers`, `interrupted`, `timeout` or `aborted`, at once when the socket closes,
 * without waiting for a body whose source hangs.
 */
function pump(body: Readable, socket: Socket, sending: Sending, ask: WriteOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const settle = (error?: Error) => {
      // Keeps the error listener: the abort that settles this may destroy the body a moment later.
      body.off('data', onData).off('end', onEnd).off('close', onBodyClose);
      socket.off('close', onSocketClose);
      if (error) reject(error);
      else resolve(sent);
    };
    const onData = (chunk: Uint8Array) => {
      sent += chunk.byteLength;
      if (ask.size !== undefined && sent > ask.size) settle(new ConnectorError('sizeDiffers', 'more bytes came than were announced'));
      else {
        const { byteLength } = chunk;
        socket.write(chunk, (error) => {
          if (!error) sending.add(byteLength);
          onSent(chunk, error);
        });
        if (socket.writableLength > mostWaiting) body.pause();
      }
    };
    const onSent = (chunk: Uint8Array, error: unknown) => {
      if (!error) giveBack(body, chunk);
      if (body.isPaused() && socket.writableLength <= mostWaiting / 2) body.resume();
    };
    const onEnd = () => {
      const differs = ask.size !== undefined && sent !== ask.size;
      settle(differs ? new ConnectorError('sizeDiffers', `${sent} of ${ask.size} bytes came`) : undefined);
    };
    const onBodyError = (cause: Error) =>
      settle(cause instanceof ConnectorError ? cause : new ConnectorError('aborted', 'the bytes stopped coming', { cause }));
    const onBodyClose = () => settle(new ConnectorError('aborted', 'the bytes stopped coming'));
    const onSocketClose = () => settle(new BrokenOff());
    socket.on('error', (error: Error) => settle(error instanceof ConnectorError ? error : new BrokenOff(error)));
    socket.on('close', onSocketClose);
    body.on('data', onData).on('end', onEnd).on('error', onBodyError).on('close', onBodyClose);
    // A body that was destroyed before the listeners were attached emits no further event.
    if (ask.signal.aborted || body.destroyed) settle(new ConnectorError('aborted', 'given up'));
    else if (socket.destroyed) settle(new BrokenOff());
  });
}

/** Restores a session after a failed upload: the server's final reply is still pending, unless it was the failure itself. */
export async function recover(session: Session, error: unknown): Promise<void> {
  if (error instanceof ConnectorError && (error.kind === 'sizeDiffers' || error.kind === 'aborted')) await lastWord(session);
  else session.close();
}
