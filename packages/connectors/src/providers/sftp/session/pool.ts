import { ConnectorError } from '../../../core/error.ts';
import { withLease } from '../../../kit/concurrency/lease.ts';
import { unlessAborted } from '../../../kit/concurrency/unless-aborted.ts';
import { aborted } from '../errors.ts';
import type { Connection } from './connection.ts';

interface Options {
  readonly max: number;
  readonly connect: (signal: AbortSignal) => Promise<Connection>;
  /** ms after which an idle connection is closed. */
  readonly idle: number;
}

/** Connections shared by operations. */
export interface Pool {
  /** Runs `work` on the least busy connection, or on a new one while all are busy and the limit allows it. */
  use<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Like `use`, for work that outlasts a promise. */
  acquire(signal: AbortSignal): Promise<Lease>;
  close(): void;
}

export interface Lease {
  readonly connection: Connection;
  release(): void;
}

interface Member {
  readonly connection: Connection;
  busy: number;
  idle: NodeJS.Timeout | undefined;
}

interface Opening {
  readonly member: Promise<Member>;
  readonly give: AbortController;
  waiting: number;
}

/** sshd refuses connections from the tenth unauthenticated one on (MaxStartups); this stays well below. */
const mostHandshakes = 3;

/** Creates a pool; connects lazily. Dead connections are dropped and replaced when needed. */
export function createPool({ max, connect, idle }: Options): Pool {
  const members = new Set<Member>();
  const openings = new Set<Opening>();
  let closed = false;

  function open(): Opening {
    const give = new AbortController();
    const member = connect(give.signal)
      .then((connection) => {
        const joined: Member = { connection, busy: 0, idle: undefined };
        members.add(joined);
        connection.onEnd(() => {
          clearTimeout(joined.idle);
          members.delete(joined);
        });
        if (closed || give.signal.aborted) connection.close();
        return joined;
      })
      .finally(() => openings.delete(opening));
    const opening: Opening = { member, give, waiting: 0 };
    openings.add(opening);
    return opening;
  }

  /** Waits for a connection being opened; cancels it when the last waiter has gone. */
  async function arrival(opening: Opening, signal: AbortSignal): Promise<Member> {
    opening.waiting += 1;
    try {
      return await unlessAborted(opening.member, signal, aborted);
    } finally {
      opening.waiting -= 1;
      if (opening.waiting === 0) {
        // Removed at once, so that no one else waits for it.
        openings.delete(opening);
        opening.give.abort();
      }
    }
  }

  const leastBusy = (): Member | undefined =>
    [...members].filter(({ connection }) => !connection.dead()).sort((a, b) => a.busy - b.busy)[0];

  const leastAwaited = (): Opening | undefined => [...openings].sort((a, b) => a.waiting - b.waiting)[0];

  async function choose(signal: AbortSignal): Promise<Member> {
    if (signal.aborted) throw aborted();
    if (closed) throw new ConnectorError('unreachable', 'the link is closed');
    const quiet = leastBusy();
    if (quiet?.busy === 0) return quiet;
    const mayOpen = members.size + openings.size < max && openings.size < mostHandshakes;
    if (quiet && !mayOpen) return quiet;
    try {
      return await arrival((mayOpen ? undefined : leastAwaited()) ?? open(), signal);
    } catch (error) {
      return alternative(error, signal);
    }
  }

  /**
   * A server may allow fewer connections than the link's setting: falls back to open connections and to those being opened. Rejects with
   * the failure when there are none.
   */
  async function alternative(failure: unknown, signal: AbortSignal): Promise<Member> {
    if (signal.aborted) throw aborted();
    const other = leastBusy();
    if (other) return other;
    const coming = leastAwaited();
    if (!coming) throw failure;
    try {
      return await arrival(coming, signal);
    } catch (error) {
      return alternative(error, signal);
    }
  }

  async function acquire(signal: AbortSignal): Promise<Lease> {
    const member = await choose(signal);
    clearTimeout(member.idle);
    member.busy += 1;
    let released = false;
    return {
      connection: member.connection,
      release() {
        if (released) return;
        released = true;
        member.busy -= 1;
        if (member.busy === 0) member.idle = setTimeout(() => member.connection.close(), idle).unref();
      },
    };
  }

  return {
    acquire,
    use: (signal, work) => withLease(() => acquire(signal), work),
    close() {
      closed = true;
      for (const { give } of openings) give.abort();
      for (const { connection } of members) connection.close();
    },
  };
}
