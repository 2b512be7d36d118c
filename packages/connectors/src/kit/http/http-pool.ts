import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import { createWaitingLine } from '../concurrency/waiting-line.ts';
import { type Connection, openConnection } from './http-connection.ts';
import type { HttpOptions } from './http.ts';

/** The connections of one client: a limited number, kept open for a while after use. */
export interface ConnectionPool {
  /**
   * Returns a connection for exclusive use; `fresh` requests one that was never used. Waits while all are in use; rejects as the Dialer
   * does.
   */
  acquire(origin: string, signal: AbortSignal, options: { readonly fresh: boolean }): Promise<{ connection: Connection; reused: boolean }>;
  /** Keeps the connection for the next request, for at most `keepFor` ms. */
  release(connection: Connection, keepFor?: number): void;
  /** Ends the connection and makes room for another. */
  discard(connection: Connection): void;
  close(): void;
}

/** Time in ms for which an idle connection stays open. */
const keepIdle = 20_000;
/** Margin in ms before the server's own keep-alive limit: a request sent just before the limit would fail. */
const keepMargin = 1000;
export const defaultConnections = 8;

const givenUp = () => new ConnectorError('aborted', 'given up');

type PoolOptions = Pick<HttpOptions, 'dialer' | 'verify' | 'maxConnections' | 'idleTimeout'>;

/** Creates an empty pool; connects on first use. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const { dialer, verify, maxConnections = defaultConnections, idleTimeout = deadlines.silence } = options;
  const idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout }[] = [];
  const open = new Set<Connection>();
  const sessions = new Map<string, Buffer>();
  const line = createWaitingLine();
  let dialling = 0;
  let closed = false;

  const hasRoom = (): boolean => open.size + dialling < maxConnections;

  function takeIdle(matches: (connection: Connection) => boolean): Connection | undefined {
    const index = idle.findLastIndex(({ connection }) => matches(connection));
    const [found] = index === -1 ? [] : idle.splice(index, 1);
    if (!found) return undefined;
    clearTimeout(found.timer);
    return found.connection;
  }

  function forget(connection: Connection): void {
    takeIdle((candidate) => candidate === connection);
    if (open.delete(connection)) line.callNext();
  }

  /** Makes room for a new connection, if necessary by closing an idle one. */
  function makeRoom(): boolean {
    if (hasRoom()) return true;
    const spare = takeIdle(() => true);
    if (!spare) return false;
    open.delete(spare);
    spare.fail(givenUp());
    return true;
  }

  async function dial(origin: string, signal: AbortSignal): Promise<Connection> {
    dialling += 1;
    try {
      const onSession = (session: Buffer) => void sessions.set(origin, session);
      const connection = await openConnection({ origin, dialer, verify, idleTimeout, signal, session: sessions.get(origin), onSession });
      open.add(connection);
      connection.onEnd(() => forget(connection));
      return connection;
    } finally {
      dialling -= 1;
      if (hasRoom()) line.callNext();
    }
  }

  return {
    async acquire(origin, signal, { fresh }) {
      for (;;) {
        if (closed || signal.aborted) {
          // A waiter that was aborted after its call passes its turn on.
          line.callNext();
          throw givenUp();
        }
        const kept = fresh ? undefined : takeIdle((connection) => connection.origin === origin);
        if (kept?.usable) {
          kept.setIdle(false);
          return { connection: kept, reused: true };
        }
        if (kept) {
          kept.fail(givenUp());
          continue;
        }
        if (makeRoom()) return { connection: await dial(origin, signal), reused: false };
        await line.join({ signal, reason: givenUp }).turn;
      }
    },
    release(connection, keepFor = keepIdle) {
      const keep = Math.min(keepIdle, keepFor - keepMargin);
      if (closed || keep <= 0 || !connection.usable) return this.discard(connection);
      connection.setIdle(true);
      const timer = setTimeout(() => this.discard(connection), keep);
      timer.unref();
      idle.push({ connection, timer });
      line.callNext();
    },
    discard(connection) {
      connection.fail(givenUp());
      forget(connection);
    },
    close() {
      closed = true;
      for (const connection of open) connection.fail(givenUp());
      while (line.callNext());
    },
  };
}
