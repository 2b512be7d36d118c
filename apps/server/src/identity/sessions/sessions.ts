import type { SessionRow } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { Caller } from '#/platform/http/session.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { EndedThere, OpenedBy } from './opened-by.ts';
import type { SessionStore } from './session-store.ts';

const day = 86_400;
/** Seconds after which an unused session expires; any session expires after a year. */
const idleFor = 30 * day;
const longest = 365 * day;
/** Seconds between two writes of a session's last use. */
const noteEvery = 300;
/** Milliseconds for which a session is cached. Sign-outs on other instances arrive at once, unless the notification channel is broken. */
const rememberedFor = 5000;
const mostRemembered = 10_000;

/** Device that opened a session, shown in the list of sessions. */
export interface Device {
  readonly userAgent: string;
  readonly address: string;
  /** The cookie's device token, set by an earlier sign-in of any account. */
  readonly token?: string | undefined;
}

interface Deps {
  readonly store: SessionStore;
  readonly newId: () => string;
  readonly now: Clock;
}

interface Remembered {
  readonly caller: Caller;
  readonly until: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions: opened by a sign-in, found by their cookie's token, ended by the user or by time. */
export function createSessions({ store, newId, now }: Deps) {
  const remembered = new Map<string, Remembered>();
  /** Counts invalidations: the result of a lookup that began before one is not cached. */
  let forgettings = 0;
  const forget = (gone: (caller: Caller) => boolean): void => {
    forgettings++;
    for (const [tokenHash, { caller }] of remembered) if (gone(caller)) remembered.delete(tokenHash);
  };

  async function lookUp(tokenHash: string): Promise<Caller | undefined> {
    const [time, before] = [now(), forgettings];
    const row = await store.find(tokenHash, time);
    if (!row) return undefined;
    if (time - row.lastSeenAt >= noteEvery) await store.touch(row.id, time, Math.min(time + idleFor, row.createdAt + longest));
    const caller = { userId: row.accountId, sessionId: row.id, rTag: row.rTag };
    if (before !== forgettings) return caller;
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(tokenHash, { caller, until: performance.now() + rememberedFor });
    return caller;
  }

  return {
    /** Opens a session, marked as reauthenticated if `isProven`; the token goes into the cookie and is not stored. */
    async open(
      accountId: string,
      { userAgent, address }: Device,
      isProven: boolean,
      by?: OpenedBy,
    ): Promise<{ token: string; rTag: string }> {
      const [token, rTag, time] = [newToken(), newToken(), now()];
      await store.insert({
        id: newId(),
        tokenHash: hashToken(token),
        accountId,
        rTag,
        userAgent: userAgent.slice(0, 300),
        address,
        createdAt: time,
        lastSeenAt: time,
        expiresAt: time + idleFor,
        provenAt: isProven ? time : 0,
        provider: by?.provider ?? null,
        providerSid: by?.sid ?? null,
      });
      return { token, rTag };
    },

    /** Time of the session's last reauthentication; 0 when the session no longer exists. */
    provenAt: (sessionId: string): Promise<number> => store.provenAt(sessionId),
    proved: (sessionId: string): Promise<void> => store.proved(sessionId, now()),
    /** Invalidates reauthentications of other sessions: they may have used the password alone, and there is a second factor now. */
    endOtherProofs: (accountId: string, sessionId: string): Promise<void> => store.endOtherProofs(accountId, sessionId),

    /** Returns the session's owner; synchronously when cached. */
    find(token: string): Caller | undefined | Promise<Caller | undefined> {
      const tokenHash = hashToken(token);
      const known = remembered.get(tokenHash);
      return known && known.until > performance.now() ? known.caller : lookUp(tokenHash);
    },

    async list(accountId: string, currentId: string): Promise<SessionRow[]> {
      const rows = await store.list(accountId, now());
      return rows.map(({ id, createdAt, lastSeenAt, userAgent, address }) => ({
        sessionId: id,
        current: id === currentId,
        createdAt,
        lastSeenAt,
        userAgent,
        address,
      }));
    },

    /** Ends one session, or all but the current one, at the owner's request. */
    async expire(accountId: string, currentId: string, sessionId?: string): Promise<void> {
      await store.expire(accountId, sessionId === undefined ? { exceptId: currentId } : { id: sessionId }, now());
      if (sessionId !== undefined) forget((caller) => caller.sessionId === sessionId);
      else forget((caller) => caller.userId === accountId && caller.sessionId !== currentId);
    },

    /** Ends the session; returns the provider that opened it, if one did. */
    async end(accountId: string, sessionId: string): Promise<string | undefined> {
      const provider = await store.remove(accountId, sessionId);
      forget((caller) => caller.sessionId === sessionId);
      return provider ?? undefined;
    },

    /** Ends sessions that a provider opened and has ended. */
    async endThere(ended: EndedThere): Promise<void> {
      const ids = new Set(await store.removeOpenedBy(ended));
      forget((caller) => ids.has(caller.sessionId));
    },

    /** Ends all sessions of the account, optionally except one. */
    async endAll(accountId: string, exceptId?: string): Promise<void> {
      await store.removeAll(accountId, exceptId);
      forget((caller) => caller.userId === accountId && caller.sessionId !== exceptId);
    },

    /** Drops cached sessions of the account, or all: they may have ended on another instance. */
    forget: (accountId?: string): void => forget(({ userId }) => accountId === undefined || userId === accountId),

    sweep: () => store.removeExpired(now()),
  };
}
