import { type GivenOrgRole, type ReplyOf, appError, scimPath, type showDirectory } from '@sheaf/contract';
import { readName } from '#/identity/account/rules.ts';
import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { OrgRights } from '#/sharing/orgs/rights.ts';
import type { ScimMembership, Speaker } from './membership.ts';
import type { ScimStore } from './store.ts';
import type { ScimTokenStore } from './token-store.ts';

/** Marks the token, so that scanners for leaked secrets know it. */
const tokenMark = 'sheaf_scim_';
/** Most tokens of one organisation: a directory needs one, and a second one while it is renewed. */
const mostTokens = 10;

interface Deps {
  readonly store: ScimStore;
  readonly tokenStore: ScimTokenStore;
  readonly membership: ScimMembership;
  readonly rights: OrgRights;
  readonly publicUrl: string;
  readonly newId: () => string;
  readonly now: Clock;
}

/** Somebody who has signed in with a provider of the operator's own. */
interface SignedIn {
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  /** The address that the provider has verified, in the form of an account's; undefined for none. */
  readonly provenEmail: string | undefined;
}

export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** Directories of organisations, for the admins who set them up. Rejects with AppError; needs the right to manage members. */
export function createDirectoryService({ store, tokenStore, membership, rights, publicUrl, newId, now }: Deps) {
  return {
    async show(userId: string, orgOid: string): Promise<ReplyOf<typeof showDirectory>> {
      await rights.require(userId, orgOid, 'members');
      const [tokens, counts] = await Promise.all([tokenStore.list(orgOid), store.counts(orgOid)]);
      const groups = await store.groupCounts(orgOid);
      return {
        address: publicUrl + scimPath,
        tokens: tokens.map(({ id, name, maker, createdAt, lastUsedAt }) => ({
          tokenId: id,
          name,
          madeBy: maker ?? '',
          createdAt,
          ...(lastUsedAt !== null && { lastUsedAt }),
        })),
        groups: groups.map(({ id, name, members, role }) => ({ groupId: id, name, members, role: role === 'admin' ? 'admin' : 'member' })),
        ...counts,
      };
    },

    /** Throws INVALID_NAME, TOO_MANY_TOKENS. */
    async createToken(userId: string, orgOid: string, typed: string): Promise<{ token: string; tokenId: string; orgName: string }> {
      const org = await rights.require(userId, orgOid, 'members');
      const name = readName(typed);
      if ((await tokenStore.list(orgOid)).length >= mostTokens) throw appError('TOO_MANY_TOKENS', { count: String(mostTokens) });
      const token = tokenMark + newToken();
      const tokenId = newId();
      const act = { actorId: userId, at: now() };
      const row = { id: tokenId, orgId: orgOid, name, tokenHash: hashToken(token), createdBy: userId, createdAt: act.at, lastUsedAt: null };
      await tokenStore.insert(row, org.name, act);
      return { token, tokenId, orgName: org.name };
    },

    /** Throws NOT_FOUND. */
    async revokeToken(userId: string, orgOid: string, tokenId: string): Promise<void> {
      const org = await rights.require(userId, orgOid, 'members');
      if (!(await tokenStore.remove(orgOid, tokenId, org.name, { actorId: userId, at: now() }))) throw appError('NOT_FOUND', {});
    },

    /** Sets the role of a group's members and applies it. Throws NOT_FOUND. */
    async setGroupRole(userId: string, orgOid: string, groupId: string, role: GivenOrgRole): Promise<void> {
      const org = await rights.require(userId, orgOid, 'members');
      const changed = await store.setRole({ orgId: orgOid, name: org.name }, groupId, role, { actorId: userId, at: now() });
      if (!changed) throw appError('NOT_FOUND', {});
      await membership.syncAll({ orgId: orgOid, name: 'Directory' }, changed);
    },

    /** The directory of that token; undefined for a token that is none, or whose maker may no longer manage members. */
    async speakerOf(token: string): Promise<Speaker | undefined> {
      const row = token.startsWith(tokenMark) ? await tokenStore.find(hashToken(token), now()) : undefined;
      return row && { orgId: row.orgId, name: row.name };
    },

    /** Makes the account a member wherever a directory has its address. No invitation is needed: the operator's own provider has proven the address. */
    async joinProven({ account, provenEmail }: SignedIn): Promise<void> {
      if (provenEmail === undefined) return;
      for (const user of await store.waitingFor(provenEmail))
        await membership.join({ orgId: user.orgId, name: 'Directory' }, user, account);
    },
  };
}
