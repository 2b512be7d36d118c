import { type AppError, type OrgRole, appError, mayInOrg } from '@sheaf/contract';

/** A user's membership, as far as links depend on it. */
export interface OrgMembership {
  readonly orgId: string;
  readonly membershipId: string;
  /** The organisation's. */
  readonly name: string;
  readonly role: OrgRole;
}

/** The owner of the links of a call, and the acting user. */
export interface Owner {
  /** The account that owns the links: the user's or the organisation's. */
  readonly ownerId: string;
  readonly actorId: string;
  /** For an organisation: how this user browses its links. */
  readonly membershipId?: string;
}

interface Deps {
  readonly findMembership: (userId: string, orgOid: string) => Promise<OrgMembership | undefined>;
  readonly hasOrgPlan: (orgId: string) => Promise<boolean>;
}

export type Owners = ReturnType<typeof createOwners>;

/** Determines the owner a user acts for: an orgOid makes every call about links one for the organisation. */
export function createOwners({ findMembership, hasOrgPlan }: Deps) {
  async function memberOf(userId: string, orgOid: string): Promise<OrgMembership> {
    const membership = await findMembership(userId, orgOid);
    // The same error as for a missing link: non-members learn nothing.
    if (!membership) throw appError('INVALID_LINK_URI', {});
    if (!mayInOrg(membership.role, 'links')) throw appError('ROLE_FORBIDS', { name: membership.name });
    return membership;
  }
  const ownerOf = (userId: string, { orgId, membershipId }: OrgMembership): Owner => ({ ownerId: orgId, actorId: userId, membershipId });

  return {
    /** Why the organisation's links cannot be used now; undefined when they can. */
    async troubleOf({ orgId, name }: Pick<OrgMembership, 'orgId' | 'name'>): Promise<AppError | undefined> {
      return (await hasOrgPlan(orgId)) ? undefined : appError('ORG_EXPIRED', { organisation: name });
    },

    /** For reading and removing; rejects with INVALID_LINK_URI for non-members, and with ROLE_FORBIDS. */
    async find(userId: string, orgOid: string | undefined): Promise<Owner> {
      if (!orgOid) return { ownerId: userId, actorId: userId };
      return ownerOf(userId, await memberOf(userId, orgOid));
    },

    /** For linking and changing; rejects as `find`, and with ORG_EXPIRED when the organisation's plan has ended. */
    async findToChange(userId: string, orgOid: string | undefined): Promise<Owner> {
      if (!orgOid) return { ownerId: userId, actorId: userId };
      const membership = await memberOf(userId, orgOid);
      if (!(await hasOrgPlan(membership.orgId))) throw appError('ORG_EXPIRED', { organisation: membership.name });
      return ownerOf(userId, membership);
    },
  };
}
