import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type Lease, withLease } from './lease.ts';
import { pauseBeforeRetry } from './retry-busy.ts';
import { type Waiter, createWaitingLine } from './waiting-line.ts';

/** A connection that serves one operation at a time. */
export interface Pooled {
  /** Whether it can no longer be used. */
  readonly dead: boolean;
  /** Whether it still works; checked after it has been idle. */
  check(signal: AbortSignal): Promise<boolean>;
  close(): void;
}

interface Options<C extends Pooled> {
  readonly max: number;
  readonly connect: (signal: AbortSignal) => Promise<C>;
  /** Time in ms after which an idle connection is closed. */
  readonly idleTimeout?: number;
  /** Idle time in ms after which a connection is checked before it is reused. */
  readonly checkAfter?: number;
  /** Maximum time in ms that a call waits for a connection. */
  readonly maxWait?: number;
}

/** Time in ms for which no further connection is requested after the server has refused one. */
const modestFor = 60_000;

/**
 * How servers refuse a surplus connection: explicitly, by closing it, or by rejecting a login that they accepted a moment ago (ProFTPD's
 * MaxClientsPerHost).
 */
const isTurnedAway = (error: unknown): error is ConnectorError =>
  isKind(error, 'rateLimited', 'unauthorized', 'unreachable', 'interrupted');

/** Further attempts of the last connection after all were refused. */
const triesAlone = 3;
/**
 * Refusals worth retrying once other connections are released. A login that is rejected for all of them is wrong, and retrying it may lock
 * the account.
 */
const isCrowded = (error: unknown): error is ConnectorError => isKind(error, 'rateLimited', 'interrupted');

/** A pool of connections for one operation at a time, first come first served; never more than `max` or than the server allows. */
export interface ExclusivePool<C extends Pooled> {
  /** Runs `work` with a connection; returns it when `work` settles, or closes it if it is dead. */
  use<T>(signal: AbortSignal, work: (connection: C) => Promise<T>): Promise<T>;
  /** Like `use`, for work that outlasts a promise: the caller returns the connection with `release`. */
  acquire(signal: AbortSignal): Promise<Lease<C>>;
  close(): void;
}

/** Creates a pool; connects on first use. */
export function createExclusivePool<C extends Pooled>({
  max,
  connect,
  idleTimeout = 30_000,
  checkAfter = deadlines.check,
  maxWait = deadlines.turn,
}: Options<C>): ExclusivePool<C> {
  const idle: { connection: C; since: number }[] = [];
  const line = createWaitingLine();
  /** Callers that the server has refused; they fail when waiting no longer helps. */
  const turnedAway = new Set<Waiter>();
  let open = 0;
  let given = max;
  let givenUntil = 0;
  let closed = false;
  let sweeper: NodeJS.Timeout | undefined;

  function sweep(): void {
    const limit = performance.now() - idleTimeout;
    while (idle[0] && idle[0].since <= limit) idle.shift()?.connection.close();
    sweeper = idle.length > 0 ? setTimeout(sweep, idleTimeout).unref() : undefined;
  }

  const most = (): number => (performance.now() < givenUntil ? given : max);

  function admit(): void {
    while (line.length > 0 && open < most()) {
      open += 1;
      line.callNext();
    }
  }

  /** Waits for a permit. A refused caller comes first, but waits only while others are being served. */
  async function permit(signal: AbortSignal, { turnedAway: isTurned = false } = {}): Promise<void> {
    if (signal.aborted) throw new ConnectorError('aborted', 'given up before a connection was free');
    if (closed) throw new ConnectorError('unreachable', 'the link is closed');
    const waiter = line.join({
      signal,
      reason: () => new ConnectorError('aborted', 'given up while waiting for a connection'),
      isFirst: isTurned,
      left: () => {
        clearTimeout(timer);
        turnedAway.delete(waiter);
      },
    });
    const timer = setTimeout(
      () =>
        waiter.leave(new ConnectorError('rateLimited', 'all connections of the link stayed busy', { details: { waited: 'connections' } })),
      maxWait,
    );
    if (isTurned) turnedAway.add(waiter);
    admit();
    await waiter.turn;
  }

  function passOn(): void {
    open -= 1;
    admit();
  }

  /** An idle connection that still works, the most recently used first; or a new one. */
  async function ready(signal: AbortSignal): Promise<C> {
    for (let rested = idle.pop(); rested; rested = idle.pop()) {
      const { connection, since } = rested;
      const fresh = performance.now() - since < checkAfter;
      if (!connection.dead && (fresh || (await connection.check(signal)))) return connection;
      connection.close();
    }
    return connect(signal);
  }

  /**
   * A connection for a caller with a permit. If the server refuses it because of the others, waits for one of those. If the server refused
   * all of them because of each other (ProFTPD's MaxClientsPerHost counts connections before their login), the last one tries alone.
   */
  async function connected(signal: AbortSignal, alone = 0): Promise<C> {
    try {
      return await ready(signal);
    } catch (error) {
      // Closes idle connections, which the server counts too.
      if (idle.length > 0 && isTurnedAway(error)) return connected(signal);
      const others = open - 1;
      const isLast = others === 0;
      if (isLast && turnedAway.size > 0 && alone < triesAlone && isCrowded(error)) return onceMore(signal, alone + 1, error);
      if (isLast && isTurnedAway(error)) for (const { leave } of turnedAway) leave(error);
      if (isLast || !isTurnedAway(error)) {
        passOn();
        throw error;
      }
      given = Math.min(most(), others);
      givenUntil = performance.now() + modestFor;
      passOn();
      await permit(signal, { turnedAway: true });
      return connected(signal);
    }
  }

  /** Retries after a pause in which the server may notice that the other connections are closed. */
  async function onceMore(signal: AbortSignal, time: number, reason: ConnectorError): Promise<C> {
    try {
      await pauseBeforeRetry(time, reason, signal);
    } catch (error) {
      passOn();
      throw error;
    }
    return connected(signal, time);
  }

  async function acquire(signal: AbortSignal): Promise<Lease<C>> {
    await permit(signal);
    const connection = await connected(signal);
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
