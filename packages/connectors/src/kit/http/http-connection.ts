import { TLSSocket } from 'node:tls';
import type { CertificateRule, Dialer } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';
import { type Inbound, type Taker, createInbound, notedTaker } from './http-inbound.ts';

/** An open connection, used by one caller at a time. */
export interface Connection {
  readonly origin: string;
  readonly inbound: Inbound;
  /** Returns the next bytes, lent as by {@link Inbound}; rejects with `interrupted` after `idleTimeout` ms of silence. */
  read(): Promise<Buffer | undefined>;
  /**
   * Passes on bytes as {@link Inbound.pump} does; rejects on silence as `read` does. Time during which `take` holds lent memory does not
   * count.
   */
  pump(take: Taker): Promise<boolean>;
  /** Sends; resolves when there is room for more. The bytes must not change until the next call has resolved. */
  write(...chunks: readonly (string | Uint8Array)[]): Promise<void>;
  /**
   * Sends a piece of a long body; returns true if more may follow at once, otherwise a promise that resolves when there is room. Calls
   * `onSent` when the system has taken the bytes, which must not change until then.
   */
  writePiece(chunk: Uint8Array, onSent: () => void): true | Promise<void>;
  /** Closes the connection at once; pending callers get the error. */
  fail(error: ConnectorError): void;
  /** Whether another request can be sent on it. */
  readonly usable: boolean;
  /** Marks the connection as idle, so that it does not keep the process alive, or as in use. */
  setIdle(idle: boolean): void;
  /** Calls the listener once when the connection has ended, for any reason. */
  onEnd(listener: () => void): void;
}

/**
 * Bytes of a long body queued for the system; with a socket's default, this process and the server would wait for each other alternately.
 */
const mostWaiting = 1024 * 1024;

interface Options {
  readonly origin: string;
  readonly dialer: Dialer;
  readonly verify: CertificateRule;
  readonly idleTimeout: number;
  readonly signal: AbortSignal;
  /** TLS session of an earlier connection to the same server. */
  readonly session: Buffer | undefined;
  readonly onSession: (session: Buffer) => void;
}

/** Opens a connection to an origin (`https://host:port`). Rejects as the Dialer does. */
export async function openConnection({ origin, dialer, verify, idleTimeout, signal, session, onSession }: Options): Promise<Connection> {
  const { hostname, port, protocol } = new URL(origin);
  const secure = protocol === 'https:';
  let resume = (): void => undefined;
  const inbound = createInbound({ resume: () => resume() });
  const socket = await dialer.connect({
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    signal,
    onread: inbound.onread,
    ...(secure && { tls: { verify, ...(session && { session }) } }),
  });

  let ended = false;
  let wakeWriter: (() => void) | undefined;
  let failure: ConnectorError | undefined;
  const listeners: (() => void)[] = [];
  let watching = false;
  const quiet = setTimeout(onQuiet, idleTimeout);
  quiet.unref();

  function onQuiet(): void {
    if (watching) fail(new ConnectorError('interrupted', `no byte came within ${idleTimeout} ms`, { retryable: true }));
    else if (wakeWriter) fail(new ConnectorError('interrupted', `no byte could be sent within ${idleTimeout} ms`, { retryable: true }));
  }

  function finish(): void {
    if (ended) return;
    ended = true;
    clearTimeout(quiet);
    wakeWriter?.();
    for (const listener of listeners) listener();
  }
  function fail(error: ConnectorError): void {
    failure ??= error;
    inbound.fail(error);
    socket.destroy();
    finish();
  }

  function refuseEnded(): void {
    if (ended) throw failure ?? new ConnectorError('interrupted', 'the connection has ended', { retryable: true });
  }
  async function roomForMore(): Promise<void> {
    quiet.refresh();
    await new Promise<void>((resolve) => {
      wakeWriter = resolve;
    });
    wakeWriter = undefined;
    if (ended) throw failure ?? new ConnectorError('interrupted', 'the connection ended while bytes were being sent', { retryable: true });
  }

  resume = () => void socket.resume();
  if (socket instanceof TLSSocket) socket.on('session', onSession);
  socket.on('drain', () => wakeWriter?.());
  socket.on('end', () => inbound.end());
  socket.on('error', (cause) => {
    failure ??= new ConnectorError('interrupted', 'the connection broke', { cause, retryable: true });
    inbound.end(failure);
  });
  socket.on('close', () => {
    inbound.end();
    finish();
  });

  return {
    origin,
    inbound,
    async read() {
      watching = true;
      quiet.refresh();
      try {
        return await inbound.read();
      } finally {
        watching = false;
      }
    },
    async pump(take) {
      watching = true;
      quiet.refresh();
      try {
        return await inbound.pump(
          notedTaker(take, (isLent) => {
            watching = !isLent;
            quiet.refresh();
          }),
        );
      } finally {
        watching = false;
      }
    },
    async write(...chunks) {
      refuseEnded();
      let room = true;
      if (chunks.length > 1) socket.cork();
      for (const chunk of chunks) room = socket.write(chunk, 'latin1');
      if (chunks.length > 1) socket.uncork();
      if (!room) await roomForMore();
    },
    writePiece(chunk, onSent) {
      refuseEnded();
      socket.write(chunk, (error) => {
        if (!error) onSent();
        if (socket.writableLength <= mostWaiting / 2) wakeWriter?.();
      });
      return socket.writableLength <= mostWaiting || roomForMore();
    },
    fail,
    get usable() {
      return !ended && !socket.destroyed && socket.writable && !inbound.pending;
    },
    setIdle(idle) {
      if (idle) socket.unref();
      else socket.ref();
    },
    onEnd: (listener) => void listeners.push(listener),
  };
}
