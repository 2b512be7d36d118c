import type { Db } from '#/platform/db/schema/engine.ts';

/** Store of what a user may access besides their own links. */
export function createAccessStore(db: Db) {
  return {
    /**
     * The link, its owner's kind and the user's membership if the owner is an organisation; undefined when it belongs neither to the user nor to one
     * of their organisations.
     */
    async link(userId: string, linkId: string) {
      const row = await db
        .selectFrom('link')
        .innerJoin('account as owner', 'owner.id', 'link.accountId')
        .leftJoin('account as user', (join) => join.on('user.id', '=', userId))
        .leftJoin('org_member', (join) => join.onRef('org_member.orgId', '=', 'link.accountId').on('org_member.accountId', '=', userId))
        .select(['link.accountId as ownerId', 'link.provider', 'link.name', 'owner.name as ownerName', 'org_member.id as membershipId'])
        .select(['user.disabledAt', 'org_member.role'])
        .where('link.id', '=', linkId)
        .executeTakeFirst();
      return row && (row.ownerId === userId || row.membershipId !== null) ? row : undefined;
    },

    /** The user's links and those of their organisations, with the membership for the latter. */
    links: (userId: string) =>
      db
        .selectFrom('link')
        .leftJoin('org_member', (join) => join.onRef('org_member.orgId', '=', 'link.accountId').on('org_member.accountId', '=', userId))
        .select(['link.id', 'link.name', 'org_member.id as membershipId'])
        .where((eb) => eb.or([eb('link.accountId', '=', userId), eb('org_member.id', 'is not', null)]))
        .orderBy('link.nameKey')
        .execute(),

    /** The organisation of the membership, if it is the user's. */
    async orgOf(userId: string, membershipId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('org_member')
        .select('orgId')
        .where('id', '=', membershipId)
        .where('accountId', '=', userId)
        .executeTakeFirst();
      return row?.orgId;
    },

    /** Links of the user's organisations with exactly that name; if there are none, with that name before the organisation's in brackets. */
    async orgLinksNamed(userId: string, name: string): Promise<string[]> {
      const rows = await db
        .selectFrom('org_member')
        .innerJoin('link', 'link.accountId', 'org_member.orgId')
        .innerJoin('account as org', 'org.id', 'org_member.orgId')
        .select(['link.id', 'link.name', 'org.name as orgName'])
        .where('org_member.accountId', '=', userId)
        .execute();
      const named = rows.filter((link) => link.name === name);
      const found = named.length > 0 ? named : rows.filter((link) => `${link.name} (${link.orgName})` === name);
      return found.map(({ id }) => id);
    },

    /** The Space of a member's link. */
    space: (userId: string, linkId: string) =>
      db
        .selectFrom('space_member')
        .innerJoin('space', 'space.id', 'space_member.spaceId')
        .innerJoin('account as owner', 'owner.id', 'space.ownerId')
        .select(['space.ownerId', 'space.storageLinkId', 'space.storagePath', 'space_member.role'])
        .select(['owner.name as ownerName', 'owner.disabledAt'])
        .where('space_member.linkId', '=', linkId)
        .where('space_member.accountId', '=', userId)
        .executeTakeFirst(),
  };
}
export type AccessStore = ReturnType<typeof createAccessStore>;
