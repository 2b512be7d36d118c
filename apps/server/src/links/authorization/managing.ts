import { deadlines } from '@sheaf/connectors';
import { type ManageDraft, type SavedLink, type Verdict, AppError, appError } from '@sheaf/contract';
import type { Connections } from '#/links/connections/connections.ts';
import { ownerOf } from '#/links/grants/grant.ts';
import type { GrantedLinks } from '#/links/links/granted.ts';
import { givenName } from '#/links/links/names.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { FindAuthorizable } from './authorizable.ts';
import type { PendingGrants } from './pending-grants.ts';

interface Deps {
  readonly links: GrantedLinks;
  readonly connections: Connections;
  readonly pendingGrants: PendingGrants;
  readonly find: FindAuthorizable;
}

/** Edits links made by authorization. */
export function createManaging({ links, connections, pendingGrants, find }: Deps) {
  return {
    /**
     * Throws INVALID_NAME and DUPLICATE_LINK_NAME; a provider that refuses access is an answer, because the user may save anyway. Without a link only
     * the draft's name is checked.
     */
    async validate({ userId }: Caller, draft: ManageDraft, signal: AbortSignal): Promise<Verdict> {
      const owner = await links.ownerOf(userId, draft.orgOid);
      const name = givenName(draft);
      if (!draft.userLinkId) {
        if (name !== undefined) await links.refuseTaken({ accountId: owner.ownerId }, name);
        return { isValid: true };
      }
      const link = await links.find(owner, draft.userLinkId);
      await links.refuseTaken(link, name ?? link.name);
      try {
        const { connector } = await connections.open(owner.ownerId, link.id);
        const both = AbortSignal.any([signal, AbortSignal.timeout(deadlines.login)]);
        for await (const first of connector.list('/', { signal: both })) if (first.length > 0) break;
        return { isValid: true };
      } catch (error) {
        if (!(error instanceof AppError) || error.messageCode === 'UNEXPECTED') throw error;
        return { isValid: false, ...error.toAnswer() };
      }
    },

    /**
     * Renames the link, and with a stateId replaces its grant by the pending one. Throws INVALID_NAME, DUPLICATE_LINK_NAME, AUTHORIZATION_NEEDED,
     * ACCOUNT_MISMATCH.
     */
    async update(caller: Caller, draft: ManageDraft): Promise<SavedLink> {
      const owner = await links.ownerOf(caller.userId, draft.orgOid);
      const link = await links.find(owner, draft.userLinkId ?? '');
      const name = givenName(draft) ?? link.name;
      if (!draft.stateId) return links.rename(owner, link, name);
      const found = await find(link.provider);
      if (typeof found === 'string') throw appError('NOT_AVAILABLE_YET', {});
      const { source, definition, env } = found;
      const parked = await pendingGrants.take(caller, draft.orgOid, draft.stateId);
      if (!parked) throw appError('AUTHORIZATION_NEEDED', { provider: source.title });
      const { grant, info } = parked;
      try {
        if (parked.provider !== link.provider) throw appError('ACCOUNT_MISMATCH', {});
        return await links.regrant(owner, link, { source, definition, info }, { grant, owner: ownerOf(env.app, info) }, name);
      } catch (error) {
        await parked.putBack(grant);
        throw error;
      }
    },
  };
}
