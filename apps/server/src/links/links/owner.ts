import { type OrgRole, appError, mayInOrg } from '@sheaf/contract';

/** A user's membership, as far as links depend on it. */
export interface OrgMembership {
  readonly orgId: string;
  readonly membershipId: string;
  /** The organisation's. */
  readonly name: string;
  readonly role: OrgRole;
}

/** Whose links a call is about, and who does it. */
export interface Owner {
  /** The account that the links belong to: the user's, or the organisation's. */
  readonly ownerId: string;
  readonly actorId: string;
  /** With an organisation's: how its links are browsed by this user. */
  readonly membershipId?: string;
}

interface Deps {
  readonly findMembership: (userId: string, orgOid: string) => Promise<OrgMembership | undefined>;
  readonly hasOrgPlan: (orgId: string) => Promise<boolean>;
}

export type Owners = ReturnType<typeof createOwners>;

/** Tells on whose behalf a user acts: an orgOid makes every call of links one for the organisation. */
export function createOwners({ findMembership, hasOrgPlan }: Deps) {
  async function memberOf(userId: string, orgOid: string): Promise<OrgMembership> {
    const membership = await findMembership(userId, orgOid);
    // The same answer as for a link that is not there: whoever is no member learns nothing.
    if (!membership) throw appError('INVALID_LINK_URI', {});
    if (!mayInOrg(membership.role, 'links')) throw appError('ROLE_FORBIDS', { name: membership.name });
    return membership;
  }
  const ownerOf = (userId: string, { orgId, membershipId }: OrgMembership): Owner => ({ ownerId: orgId, actorId: userId, membershipId });

  return {
    /** Why the organisation's links cannot be used now; undefined when they can. */
    async troubleOf({ orgId, name }: Pick<OrgMembership, 'orgId' | 'name'>): Promise<string | undefined> {
      return (await hasOrgPlan(orgId)) ? undefined : appError('ORG_EXPIRED', { name }).message;
    },

    /** For looking at and removing; rejects with INVALID_LINK_URI for whoever is no member, and with ROLE_FORBIDS. */
    async find(userId: string, orgOid: string | undefined): Promise<Owner> {
      if (!orgOid) return { ownerId: userId, actorId: userId };
      return ownerOf(userId, await memberOf(userId, orgOid));
    },

    /** For linking and changing; rejects as `find`, and with ORG_EXPIRED when the organisation's plan has ended. */
    async findToChange(userId: string, orgOid: string | undefined): Promise<Owner> {
      if (!orgOid) return { ownerId: userId, actorId: userId };
      const membership = await memberOf(userId, orgOid);
      if (!(await hasOrgPlan(membership.orgId))) throw appError('ORG_EXPIRED', { name: membership.name });
      return ownerOf(userId, membership);
    },
  };
}
