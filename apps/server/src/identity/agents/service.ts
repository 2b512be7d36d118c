import { hash, timingSafeEqual } from 'node:crypto';
import { type Agent, type AppPasswordRights, appError, parseLinkUri } from '@sheaf/contract';
import { createEnds } from '#/identity/app-passwords/ends.ts';
import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import { type AgentRow, type AgentStore, type Issued, scopeOf } from './store.ts';

/** Seconds for which a code can be exchanged: RFC 6749, section 4.1.2, allows ten minutes. */
const codeLasts = 60;
/** Seconds for which an access token is valid. */
export const accessLasts = 3600;
/** Seconds between two writes of the last use. */
const noteEvery = 300;
/** Seconds for which a program may be registered before somebody lets it in. */
const unusedClientLasts = 86_400;
/** Grace in seconds for a spent refresh token: two requests of one program may have sent it at the same time. */
const sentTogether = 30;
const mostPerAccount = 100;
const pageSize = 100;

interface Deps {
  readonly store: AgentStore;
  readonly newId: () => string;
  readonly now: Clock;
}

/** An agent that has shown a valid token. */
export interface AgentProgram {
  readonly agentId: string;
  readonly name: string;
  readonly clientId: string;
  readonly accountId: string;
  /** The folders it is limited to; none: everything. */
  readonly folders: readonly string[];
  readonly rights: AppPasswordRights;
  /** Aborts when the agent is revoked, and when it expires. */
  readonly ended: AbortSignal;
}

/** What a person allows. */
export interface Grant {
  readonly clientId: string;
  readonly name: string;
  readonly host: string;
  readonly folders: readonly string[];
  readonly rights: AppPasswordRights;
  readonly resource: string;
  readonly redirectUri: string;
  /** BASE64URL(SHA256(verifier)): RFC 7636, section 4.2. */
  readonly codeChallenge: string;
  readonly expires: number | undefined;
}

/** Tokens as the program gets them: RFC 6749, section 5.1. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: string;
}

export type Agents = ReturnType<typeof createAgents>;

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Agents that people have let in: their codes and tokens, of which only hashes are stored. */
export function createAgents({ store, newId, now }: Deps) {
  const ends = createEnds(now);

  const issue = (family: string): { tokens: Issued; accessToken: string; refreshToken: string } => {
    const [accessToken, refreshToken] = [`sheaf_at_${newToken()}`, `${family}.${newToken()}`];
    const hashes = { accessHash: hashToken(accessToken), refreshHash: hashToken(refreshToken), familyHash: hashToken(family) };
    return { tokens: { ...hashes, accessEndsAt: now() + accessLasts }, accessToken, refreshToken };
  };
  async function end({ accountId, id }: Pick<AgentRow, 'accountId' | 'id'>): Promise<void> {
    await store.remove(accountId, id, now());
    ends.end(id);
  }

  return {
    clients: { add: store.addClient, find: store.findClient },

    list: async (accountId: string): Promise<Agent[]> => (await store.list(accountId)).map(toAgent),

    /**
     * Lets an agent in and returns its code. `isLinkOf` says whether the account may use a link, `places` is for the log. Throws INVALID_PARAMETER,
     * INVALID_LINK_URI, TOO_MANY_AGENTS.
     */
    async allow(
      accountId: string,
      { expires, folders, ...grant }: Grant,
      isLinkOf: (accountId: string, userLinkId: string) => Promise<boolean>,
    ): Promise<string> {
      if (expires !== undefined && expires <= now()) throw appError('INVALID_PARAMETER', { field: 'expires' });
      for (const linkUri of folders) {
        const address = parseLinkUri(linkUri);
        if (!address || !(await isLinkOf(accountId, address.userLinkId))) throw appError('INVALID_LINK_URI', {});
      }
      if ((await store.count(accountId)) >= mostPerAccount) throw appError('TOO_MANY_AGENTS', { count: String(mostPerAccount) });
      const code = newToken();
      const row: AgentRow = {
        ...grant,
        id: newId(),
        accountId,
        folders: JSON.stringify([...new Set(folders)]),
        codeHash: hashToken(code),
        codeEndsAt: now() + codeLasts,
        accessHash: null,
        accessEndsAt: null,
        refreshHash: null,
        familyHash: null,
        createdAt: now(),
        expiresAt: expires ?? null,
        lastUsedAt: null,
      };
      await store.insert(row, folders.length === 0 ? 'everything' : `${folders.length} ${folders.length === 1 ? 'folder' : 'folders'}`);
      return code;
    },

    /**
     * Exchanges a code. Undefined unless code, program, address and verifier belong together. A code that is sent twice revokes the tokens of the first time
     * (RFC 6749, section 4.1.2).
     */
    async exchange(code: string, ask: { clientId: string; redirectUri: string; verifier: string }): Promise<Tokens | undefined> {
      const row = await store.findByCode(hashToken(code));
      if (!row) return undefined;
      if (row.accessHash !== null) {
        await end(row);
        return undefined;
      }
      const isRight =
        row.codeEndsAt > now() &&
        row.clientId === ask.clientId &&
        row.redirectUri === ask.redirectUri &&
        isSame(row.codeChallenge, hash('sha256', ask.verifier, 'base64url'));
      if (!isRight) return undefined;
      const { tokens, ...sent } = issue(`sheaf_rt_${newToken()}`);
      if (await store.begin(row.id, tokens)) return { ...sent, scope: scopeOf(row) };
      await end(row);
      return undefined;
    },

    /** Exchanges a refresh token for new tokens. One that was spent before the grace period revokes the agent: OAuth 2.1, section 4.3.1. */
    async refresh(refreshToken: string, clientId: string): Promise<Tokens | undefined> {
      const spentHash = hashToken(refreshToken);
      const row = await store.findByRefresh(spentHash, now());
      if (!row) {
        const stolen = await store.findByToken(spentHash, hashToken(familyOf(refreshToken)));
        if (stolen && Number(stolen.accessEndsAt) - accessLasts + sentTogether <= now()) await end(stolen);
        return undefined;
      }
      if (row.clientId !== clientId) return undefined;
      const { tokens, ...sent } = issue(familyOf(refreshToken));
      return (await store.renew(row.id, spentHash, tokens)) ? { ...sent, scope: scopeOf(row) } : undefined;
    },

    /** Revokes the agent that has this token, which may be unknown: RFC 7009. */
    async revokeToken(token: string, clientId: string): Promise<void> {
      const row = await store.findByToken(hashToken(token), hashToken(familyOf(token)));
      if (row?.clientId === clientId) await end(row);
    },

    /** The agent with that access token, if the token is for `resource`. */
    async find(accessToken: string, resource: string): Promise<AgentProgram | undefined> {
      const row = await store.findByAccess(hashToken(accessToken), now());
      if (row?.resource !== resource) return undefined;
      const { id, accountId, clientId, name, folders, rights } = row;
      if (now() - (row.lastUsedAt ?? 0) >= noteEvery) await store.touch(id, now());
      return {
        agentId: id,
        name,
        clientId,
        accountId,
        folders: JSON.parse(folders) as string[],
        rights,
        ended: ends.signalOf(id, accountId, row.expiresAt),
      };
    },

    /** Revokes the agent and ends what it is doing. */
    async revoke(accountId: string, agentId: string): Promise<void> {
      await store.remove(accountId, agentId, now());
      if (ends.ids(accountId).includes(agentId)) ends.end(agentId);
    },
    /** Revokes all agents of the account. */
    async revokeAll(accountId: string): Promise<void> {
      await store.removeAll(accountId);
      for (const id of ends.ids(accountId)) ends.end(id);
    },
    /** Looks the account's agents up again, or all: they may have been revoked on another instance. */
    async recheck(accountId?: string): Promise<void> {
      const followed = ends.ids(accountId);
      for (let at = 0; at < followed.length; at += pageSize) {
        const ids = followed.slice(at, at + pageSize);
        const usable = new Set(await store.usable(ids, now()));
        for (const id of ids) if (!usable.has(id)) ends.end(id);
      }
    },
    sweep: (): Promise<void> => store.sweep(now(), now() - unusedClientLasts),
  };
}

/** The part that the refresh tokens of one agent share. Its prefix shows people and secret scanners what they have found. */
const familyOf = (refreshToken: string): string => refreshToken.slice(0, Math.max(0, refreshToken.lastIndexOf('.')));

const toAgent = ({ id, name, host, folders, rights, createdAt, expiresAt, lastUsedAt }: AgentRow): Agent => ({
  agentId: id,
  name,
  host,
  linkUris: JSON.parse(folders) as string[],
  rights,
  createdAt,
  ...(expiresAt !== null && { expires: expiresAt }),
  ...(lastUsedAt !== null && { lastUsedAt }),
});
