import { type OrgRight, appError, mayInOrg } from '@sheaf/contract';
import type { Membership, OrgStore } from './store.ts';

export type OrgRights = ReturnType<typeof createOrgRights>;

/** Checks rights in organisations, by the contract's table. */
export function createOrgRights(store: Pick<OrgStore, 'memberships' | 'membership'>) {
  return {
    /** The user's memberships, ordered by the organisation's name. */
    memberships: (userId: string): Promise<Membership[]> => store.memberships(userId),

    find: (userId: string, orgOid: string): Promise<Membership | undefined> => store.membership(userId, orgOid),

    /** Rejects with ORG_NOT_FOUND for non-members, whether or not the organisation exists, and with ROLE_FORBIDS. */
    async require(userId: string, orgOid: string, right: OrgRight): Promise<Membership> {
      const membership = await store.membership(userId, orgOid);
      if (!membership) throw appError('ORG_NOT_FOUND', {});
      if (!mayInOrg(membership.role, right)) throw appError('ROLE_FORBIDS', { name: membership.name });
      return membership;
    },
  };
}
