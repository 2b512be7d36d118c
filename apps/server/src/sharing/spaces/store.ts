import { nameKeyOf } from '#/links/links/names.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { isTaken } from '#/platform/db/unique.ts';
import { type HeldSpace, createHeldSpace } from './held.ts';
import { type NewSpaceLink, insertSpaceLink } from './space-link.ts';

export type InvitationRow = Database['space_invitation'];

/** How often a change is tried when another takes its name meanwhile. */
const mostTries = 3;

/** Store of Spaces, members and invitations. */
export function createSpaceStore(db: Db) {
  const membersOf = () =>
    db
      .selectFrom('space_member')
      .innerJoin('account', 'account.id', 'space_member.accountId')
      .select(['space_member.id', 'space_member.accountId', 'space_member.role', 'space_member.linkId', 'space_member.joinedAt'])
      .select(['account.name', 'account.email', 'account.emailKey']);

  const owned = () =>
    db
      .selectFrom('space')
      .innerJoin('account as owner', 'owner.id', 'space.ownerId')
      .select(['space.id', 'space.name', 'space.ownerId', 'owner.name as ownerName']);

  /** The account's memberships with their Spaces. `storageName` is null when the owner no longer has the storage. */
  const spacesOf = (accountId: string) =>
    db
      .selectFrom('space_member')
      .innerJoin('space', 'space.id', 'space_member.spaceId')
      .innerJoin('account as owner', 'owner.id', 'space.ownerId')
      .innerJoin('link', 'link.id', 'space_member.linkId')
      .leftJoin('link as storage', 'storage.id', 'space.storageLinkId')
      .leftJoin('org_member', (join) =>
        join.onRef('org_member.orgId', '=', 'storage.accountId').onRef('org_member.accountId', '=', 'space.ownerId'),
      )
      .selectAll('space')
      .select(['space_member.role', 'space_member.linkId', 'link.name as linkName', 'owner.name as ownerName'])
      .select((by) => [
        by
          .case()
          .when(by.or([by('storage.accountId', '=', by.ref('space.ownerId')), by('org_member.id', 'is not', null)]))
          .then(by.ref('storage.name'))
          .end()
          .as('storageName'),
        by
          .selectFrom('space_member as other')
          .whereRef('other.spaceId', '=', 'space.id')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .$castTo<number>()
          .as('members'),
      ])
      .where('space_member.accountId', '=', accountId);

  return {
    list: (accountId: string) => spacesOf(accountId).orderBy('space.nameKey').orderBy('space.id').execute().then(numbered),
    /** The Space, if the account is a member. */
    find: async (accountId: string, spaceId: string) => numbered(await spacesOf(accountId).where('space.id', '=', spaceId).execute()).at(0),
    /** Folders of the storage that are Spaces of which the account is a member. */
    foldersOf: async (accountId: string, storageLinkId: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('space_member')
        .innerJoin('space', 'space.id', 'space_member.spaceId')
        .select('space.storagePath')
        .where('space_member.accountId', '=', accountId)
        .where('space.storageLinkId', '=', storageLinkId)
        .execute();
      return rows.map(({ storagePath }) => storagePath);
    },
    /** The Space of the account's link. */
    findByLink: async (accountId: string, linkId: string) =>
      numbered(await spacesOf(accountId).where('space_member.linkId', '=', linkId).execute()).at(0),

    members: (spaceId: string) => membersOf().where('spaceId', '=', spaceId).orderBy('joinedAt').orderBy('space_member.id').execute(),

    /** Invitations that can still be answered. */
    invitations: (spaceId: string, now: number): Promise<InvitationRow[]> =>
      db
        .selectFrom('space_invitation')
        .selectAll()
        .where('spaceId', '=', spaceId)
        .where('expiresAt', '>', now)
        .orderBy('createdAt')
        .orderBy('emailKey')
        .execute(),

    /** Invitations to an address, with their Spaces. */
    invitationsTo: (emailKey: string, now: number) => invited(db, now).where('space_invitation.emailKey', '=', emailKey).execute(),
    findInvitation: (tokenHash: string, now: number) =>
      invited(db, now).where('space_invitation.tokenHash', '=', tokenHash).executeTakeFirst(),

    /** The Spaces that the account owns. */
    ofOwner: (accountId: string) => owned().where('ownerId', '=', accountId).execute(),
    /** The Spaces whose files are in the link. */
    onStorage: (linkId: string) => owned().where('storageLinkId', '=', linkId).execute(),

    /** Creates a Space with its owner as the first member; false when the owner has a Space of that name. */
    insert: (
      space: Database['space'],
      memberId: string,
      link: NewSpaceLink,
      record: (held: HeldSpace) => Promise<void>,
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const inserted = await transaction
          .insertInto('space')
          .values(space)
          .onConflict((conflict) => conflict.columns(['ownerId', 'nameKey']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return false;
        await insertSpaceLink(transaction, link);
        await transaction
          .insertInto('space_member')
          .values({ id: memberId, spaceId: space.id, accountId: space.ownerId, role: 'owner', linkId: link.id, joinedAt: space.createdAt })
          .execute();
        await record(createHeldSpace(transaction, space));
        return true;
      }),

    /**
     * Runs `work` while the Space is locked for all instances; undefined when it does not exist. Repeats it when a name that it found free was taken
     * meanwhile.
     */
    async hold<T>(spaceId: string, work: (held: HeldSpace) => Promise<T>): Promise<T | undefined> {
      for (let tries = 1; ; tries++) {
        try {
          return await db.transaction().execute(async (transaction) => {
            const query = transaction.updateTable('space').set({ id: spaceId }).where('id', '=', spaceId).returningAll();
            const space = await query.executeTakeFirst();
            return space && (await work(createHeldSpace(transaction, space)));
          });
        } catch (error) {
          if (!isTaken(error) || tries === mostTries) throw error;
        }
      }
    },

    /** Returns false when the account has another link of that name. */
    async renameLink(linkId: string, name: string): Promise<boolean> {
      try {
        await db
          .updateTable('link')
          .set((by) => ({ name, nameKey: nameKeyOf(name), revision: by('revision', '+', 1) }))
          .where('id', '=', linkId)
          .execute();
        return true;
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
    },

    async sweep(now: number): Promise<void> {
      await db.deleteFrom('space_invitation').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SpaceStore = ReturnType<typeof createSpaceStore>;
export type SpaceRow = Awaited<ReturnType<SpaceStore['list']>>[number];
export type MemberRow = Awaited<ReturnType<SpaceStore['members']>>[number];
export type OwnedSpace = Awaited<ReturnType<SpaceStore['onStorage']>>[number];
export type InvitedRow = Awaited<ReturnType<SpaceStore['invitationsTo']>>[number];

const invited = (db: Db, now: number) =>
  db
    .selectFrom('space_invitation')
    .innerJoin('space', 'space.id', 'space_invitation.spaceId')
    .innerJoin('account as owner', 'owner.id', 'space.ownerId')
    .selectAll('space_invitation')
    .select(['space.name', 'space.ownerId', 'owner.name as ownerName'])
    .where('space_invitation.expiresAt', '>', now)
    .orderBy('space_invitation.createdAt');

/** Converts counts to numbers, which Postgres returns as text. */
const numbered = <R extends { readonly members: number | null }>(rows: readonly R[]): (R & { readonly members: number })[] =>
  rows.map((row) => ({ ...row, members: Number(row.members) }));
