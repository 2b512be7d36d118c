import { type AuthCode, type ReplyOf, appError, type createAuthCode, isBlank, type makeToken } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { Device } from '#/identity/sessions/sessions.ts';
import type { Clock } from '#/platform/clock.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { AuthCodeStore, UsedCode } from './store.ts';

/** Seconds after which an unused token expires. A used one lasts as long as its code: scheduled programs must not stop by themselves. */
const idleFor = 90 * 86_400;
/** Seconds between two writes of a token's last use. */
const noteEvery = 300;
/** Milliseconds for which a token is cached. Revocations on other instances arrive at once, unless the notification channel is broken. */
const rememberedFor = 5000;
const mostRemembered = 10_000;
const longestName = 100;
const triesPerAddress = { tries: 50, seconds: 900 };

interface Deps {
  readonly store: AuthCodeStore;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly newId: () => string;
  readonly now: Clock;
}

interface Remembered {
  readonly caller: Caller;
  readonly codeId: string;
  readonly until: number;
}

export type AuthCodes = ReturnType<typeof createAuthCodes>;

/** Authentication codes, and the bearer tokens that command-line clients get for them. */
export function createAuthCodes({ store, accounts, throttle, newId, now }: Deps) {
  const remembered = new Map<string, Remembered>();
  /** Counts invalidations: the result of a lookup that began before one is not cached. */
  let forgettings = 0;
  const forget = (gone: (one: Remembered) => boolean): void => {
    forgettings++;
    for (const [tokenHash, one] of remembered) if (gone(one)) remembered.delete(tokenHash);
  };

  async function lookUp(tokenHash: string): Promise<Caller | undefined> {
    const [time, before] = [now(), forgettings];
    const row = await store.findToken(tokenHash, time);
    if (!row) return undefined;
    if (time - row.lastSeenAt >= noteEvery) await store.touch(row.id, time, time + idleFor);
    const caller: Caller = { userId: row.accountId, sessionId: row.id, rTag: undefined };
    if (before !== forgettings) return caller;
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(tokenHash, { caller, codeId: row.codeId, until: performance.now() + rememberedFor });
    return caller;
  }

  /** A token of the code. */
  async function issue(codeId: string, accountId: string, { userAgent, address }: Device): Promise<ReplyOf<typeof makeToken>> {
    const [token, time] = [newToken(), now()];
    await store.insertToken({
      id: newId(),
      tokenHash: hashToken(token),
      codeId,
      accountId,
      userAgent: userAgent.slice(0, 300),
      address,
      createdAt: time,
      lastSeenAt: time,
      expiresAt: time + idleFor,
    });
    const { name, email } = await accounts.get(accountId);
    return { token, loginName: name, loginAccount: email };
  }

  return {
    list: async (accountId: string): Promise<AuthCode[]> => (await store.list(accountId, now())).map(toAuthCode),

    /** Creates a code; only its hash is stored. Throws MISSING_PARAMETER, INVALID_PARAMETER. */
    async create(accountId: string, typed: string): Promise<ReplyOf<typeof createAuthCode>> {
      const name = typed.trim();
      if (isBlank(name)) throw appError('MISSING_PARAMETER', {});
      if (name.length > longestName || /\p{Cc}/u.test(name)) throw appError('INVALID_PARAMETER', { field: 'name' });
      const authCode = newToken();
      const row = { id: newId(), codeHash: hashToken(authCode), accountId, name, createdAt: now() };
      await store.insertCode(row);
      return { authCode, code: toAuthCode({ ...row, clients: 0, lastUsedAt: null }) };
    },

    /** Revokes the code and every token made with it. */
    async revoke(accountId: string, authCodeId: string): Promise<void> {
      await store.removeCode(accountId, authCodeId, now());
      forget(({ caller, codeId }) => caller.userId === accountId && codeId === authCodeId);
    },

    /** Revokes all codes of the account and their tokens. */
    async revokeAll(accountId: string): Promise<void> {
      await store.removeAll(accountId);
      forget(({ caller }) => caller.userId === accountId);
    },

    /** Drops cached tokens of the account, or all: they may have been revoked on another instance. */
    forget: (accountId?: string): void => forget(({ caller }) => accountId === undefined || caller.userId === accountId),

    /** Exchanges a code for a token. Throws INVALID_AUTH_CODE, TOO_MANY_TRIES. */
    async signIn(authCode: string, device: Device): Promise<ReplyOf<typeof makeToken>> {
      await throttle.count(`token from code ${networkOf(device.address)}`, triesPerAddress);
      const code = await store.findCode(hashToken(authCode.trim()));
      if (!code) throw appError('INVALID_AUTH_CODE', {});
      return issue(code.id, code.accountId, device);
    },

    /** A token for a program that a person has admitted. Its code is shown to nobody: it is only listed, so that it can be revoked. */
    async admit(accountId: string, name: string, device: Device): Promise<ReplyOf<typeof makeToken>> {
      const id = newId();
      await store.insertCode({ id, codeHash: hashToken(newToken()), accountId, name, createdAt: now() });
      return issue(id, accountId, device);
    },

    /** Returns the token's owner; synchronously when cached. */
    find(token: string): Caller | undefined | Promise<Caller | undefined> {
      const tokenHash = hashToken(token);
      const known = remembered.get(tokenHash);
      return known && known.until > performance.now() ? known.caller : lookUp(tokenHash);
    },

    /** Revokes the token of this call. */
    async signOut({ userId, sessionId }: Caller): Promise<void> {
      await store.removeToken(userId, sessionId);
      forget(({ caller }) => caller.sessionId === sessionId);
    },

    sweep: () => store.removeExpired(now()),
  };
}

const toAuthCode = ({ id, name, createdAt, clients, lastUsedAt }: UsedCode): AuthCode => ({
  authCodeId: id,
  name,
  createdAt,
  clients,
  ...(lastUsedAt !== null && { lastUsedAt }),
});
