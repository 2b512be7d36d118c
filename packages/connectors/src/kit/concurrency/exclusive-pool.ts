import { ConnectorError, isKind } from '../../core/error.ts';
import { type Lease, withLease } from './lease.ts';
import { pausedFor } from './patience.ts';
import { type Waiter, createWaitingLine } from './waiting-line.ts';

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
  /** ms that a call waits for a connection. */
  readonly maxWait?: number;
}

/** ms for which a server that has turned one connection away beside others is not asked for more than those. */
const modestFor = 60_000;

/**
 * How servers turn away a connection that is one too many: by saying so, by hanging up, or by refusing a login that they have just taken (ProFTPD's MaxClientsPerHost).
 */
const isTurnedAway = (error: unknown): error is ConnectorError =>
  isKind(error, 'rateLimited', 'unauthorized', 'unreachable', 'interrupted');

/** Further tries of the last of many that were all turned away. */
const triesAlone = 3;
/** Of these tellings, those that may pass as soon as the others have gone; a login that is refused to all of them is wrong, and trying it once more may lock the account. */
const isCrowded = (error: unknown): error is ConnectorError => isKind(error, 'rateLimited', 'interrupted');

/** Connections handed out one operation at a time, first come first served, never more than `max`, nor than the server gives. */
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
  maxWait = 45_000,
}: Options<C>): ExclusivePool<C> {
  const idle: { connection: C; since: number }[] = [];
  const line = createWaitingLine();
  /** Ends the waiting of those whom the server turned away, while it serves others. */
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

  /** Waits for a permit. Whoever was turned away has waited longest, but waits only as long as others are served. */
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

  /**
   * A connection for whoever has a permit. One that the server turns away beside others waits for one of those. When it turned all of them away, each
   * because of the others (ProFTPD's MaxClientsPerHost counts those that have not logged in yet), the last one tries alone.
   */
  async function connected(signal: AbortSignal, alone = 0): Promise<C> {
    try {
      return await ready(signal);
    } catch (error) {
      // What the others have done with by now rests: the server counts it too.
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

  /** Tries again when the server may have noticed that the others are gone. */
  async function onceMore(signal: AbortSignal, time: number, reason: ConnectorError): Promise<C> {
    try {
      await pausedFor(time, reason, signal);
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
