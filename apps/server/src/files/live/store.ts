import type { Db } from '#/platform/db/schema/engine.ts';
import type { Mount } from './mounts.ts';

/** Store of the links that show the same storage. */
export function createMountStore(db: Db) {
  return {
    /** What a link to a Space shows of its storage; undefined for any other link. */
    async ofSpace(linkId: string): Promise<Mount | undefined> {
      const row = await db
        .selectFrom('space_member')
        .innerJoin('space', 'space.id', 'space_member.spaceId')
        .select(['space.storageLinkId as linkId', 'space.storagePath as root'])
        .where('space_member.linkId', '=', linkId)
        .executeTakeFirst();
      return row;
    },

    /** Links of all members of Spaces over this storage. */
    over: (storageLinkId: string): Promise<Mount[]> =>
      db
        .selectFrom('space')
        .innerJoin('space_member', 'space_member.spaceId', 'space.id')
        .select(['space_member.linkId', 'space.storagePath as root'])
        .where('space.storageLinkId', '=', storageLinkId)
        .execute(),
  };
}
export type MountStore = ReturnType<typeof createMountStore>;
