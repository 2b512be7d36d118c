import { ConnectorError } from '../core/error.ts';
import { type Lease, withLease } from './lease.ts';

/** A connection that serves one operation at a time. */
export interface Pooled {
  /** True once it cannot serve any more. */
  readonly dead: boolean;
  /** Whether it still answers; asked when it has rested for a while. */
  check(signal: AbortSignal): Promise<boolean>;
  close(): void;
}

interface Options<C extends Pooled> {
  readonly max: number;
  readonly connect: (signal: AbortSignal) => Promise<C>;
  /** ms after which an unused connection is closed. */
  readonly idleTimeout?: number;
  /** ms of rest after which a connection is checked before it serves again. */
  readonly checkAfter?: number;
}

/** Connections handed out one operation at a time, first come first served, never more than `max`. */
export interface ExclusivePool<C extends Pooled> {
  /** Runs `work` with a connection; it comes back when `work` settles, and is closed when it is dead. */
  use<T>(signal: AbortSignal, work: (connection: C) => Promise<T>): Promise<T>;
  /** Like `use`, for work that outlasts a promise: the caller gives the connection back with `release`. */
  acquire(signal: AbortSignal): Promise<Lease<C>>;
  close(): void;
}

/** Creates a pool; nothing is connected before the first use. */
export function createExclusivePool<C extends Pooled>({
  max,
  connect,
  idleTimeout = 30_000,
  checkAfter = 5_000,
}: Options<C>): ExclusivePool<C> {
  const idle: { connection: C; since: number }[] = [];
  const waiting: { grant: () => void; signal: AbortSignal }[] = [];
  let open = 0;
  let closed = false;
  let sweeper: NodeJS.Timeout | undefined;

  function sweep(): void {
    const limit = performance.now() - idleTimeout;
    while (idle[0] && idle[0].since <= limit) idle.shift()?.connection.close();
    sweeper = idle.length > 0 ? setTimeout(sweep, idleTimeout).unref() : undefined;
  }

  /** Waits for one of the `max` permits. */
  async function permit(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up before a connection was free');
    if (closed) throw new ConnectorError('unreachable', 'the link is closed');
    if (open < max) {
      open += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const entry = {
        signal,
        grant: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(new ConnectorError('aborted', 'given up while waiting for a connection'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(entry);
    });
  }

  function passOn(): void {
    const next = waiting.shift();
    if (next) next.grant();
    else open -= 1;
  }

  /** A rested connection that still answers, the one used last first; or a new one. */
  async function ready(signal: AbortSignal): Promise<C> {
    for (let rested = idle.pop(); rested; rested = idle.pop()) {
      const { connection, since } = rested;
      const fresh = performance.now() - since < checkAfter;
      if (!connection.dead && (fresh || (await connection.check(signal)))) return connection;
      connection.close();
    }
    return connect(signal);
  }

  async function acquire(signal: AbortSignal): Promise<Lease<C>> {
    await permit(signal);
    try {
      const connection = await ready(signal);
      let released = false;
      return {
        connection,
        release() {
          if (released) return;
          released = true;
          if (connection.dead || closed) connection.close();
          else idle.push({ connection, since: performance.now() });
          sweeper ??= setTimeout(sweep, idleTimeout).unref();
          passOn();
        },
      };
    } catch (error) {
      passOn();
      throw error;
    }
  }

  return {
    acquire,
    use: (signal, work) => withLease(() => acquire(signal), work),
    close() {
      closed = true;
      clearTimeout(sweeper);
      for (const { connection } of idle.splice(0)) connection.close();
    },
  };
}
