import { type SpaceRole, mayInSpace } from '@sheaf/contract';
import { goneKey } from '#/files/listings/rows/folder-rows.ts';
import { nameKeyOf } from '#/links/links/names.ts';
import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { type NewSpaceLink, freeLinkName, insertSpaceLink } from './space-link.ts';

/** An event in a Space; its log is the owner's. */
export type SpaceEvent = Pick<AuditEvent, 'actorId' | 'action' | 'details' | 'at'>;
export type Member = Database['space_member'] & { readonly name: string; readonly email: string; readonly emailKey: string };

/** The acting user, and the time in epoch seconds. */
type Act = Required<Pick<SpaceEvent, 'actorId' | 'at'>>;

export type HeldSpace = ReturnType<typeof createHeldSpace>;

/** A Space whose row the transaction has locked: what is read here stays true until the change. */
export function createHeldSpace(transaction: Db, space: Database['space']) {
  const spaceId = space.id;
  const members = () =>
    transaction
      .selectFrom('space_member')
      .innerJoin('account', 'account.id', 'space_member.accountId')
      .selectAll('space_member')
      .select(['account.name', 'account.email', 'account.emailKey'])
      .where('spaceId', '=', spaceId);
  const invitations = () => transaction.selectFrom('space_invitation').selectAll().where('spaceId', '=', spaceId);
  const record = (event: SpaceEvent): Promise<void> =>
    recordAudit(transaction, { ...event, accountId: space.ownerId, spaceId, subjectId: spaceId, subjectName: space.name });

  /** Withdraws open invitations of a user who may no longer invite, so that they cannot be used to return. */
  async function withdrawInvitationsOf({ accountId, name }: Member, { actorId, at }: Act): Promise<void> {
    const query = transaction.deleteFrom('space_invitation').where('spaceId', '=', spaceId).where('invitedBy', '=', accountId);
    for (const { email } of await query.returning('email').execute())
      await record({ actorId, action: 'space.withdraw', details: { member: email, inviter: name }, at });
  }

  return {
    space,
    members: (): Promise<Member[]> => members().execute(),
    memberOf: (accountId: string): Promise<Member | undefined> => members().where('accountId', '=', accountId).executeTakeFirst(),
    member: (id: string): Promise<Member | undefined> => members().where('space_member.id', '=', id).executeTakeFirst(),
    invitation: (id: string) => invitations().where('id', '=', id).executeTakeFirst(),

    record,

    /** Stores an invitation in place of an earlier one to the same address. */
    async invite(row: Database['space_invitation']): Promise<void> {
      const { id: _id, spaceId: _spaceId, emailKey: _emailKey, ...change } = row;
      await transaction
        .insertInto('space_invitation')
        .values(row)
        .onConflict((conflict) => conflict.columns(['spaceId', 'emailKey']).doUpdateSet(change))
        .execute();
    },

    /**
     * Deletes an invitation, so that it is answered once, and returns its current role; undefined when it was answered, withdrawn or replaced
     * meanwhile.
     */
    takeInvitation: ({ id, tokenHash }: Pick<Database['space_invitation'], 'id' | 'tokenHash'>): Promise<{ role: string } | undefined> =>
      transaction
        .deleteFrom('space_invitation')
        .where('id', '=', id)
        .where('tokenHash', '=', tokenHash)
        .returning('role')
        .executeTakeFirst(),

    async join(memberId: string, role: string, link: NewSpaceLink): Promise<void> {
      await insertSpaceLink(transaction, link);
      await transaction
        .insertInto('space_member')
        .values({ id: memberId, spaceId, accountId: link.accountId, role, linkId: link.id, joinedAt: link.createdAt })
        .execute();
    },

    /**
     * Changes a member's role and removes what the new role may not have: a viewer's shares, and open invitations of members who may no longer
     * invite.
     */
    async setRole(member: Member, role: SpaceRole, act: Act): Promise<void> {
      const { id, linkId } = member;
      await transaction.updateTable('space_member').set({ role }).where('id', '=', id).execute();
      if (role === 'viewer') await transaction.deleteFrom('weblink').where('linkId', '=', linkId).execute();
      if (!mayInSpace(role, 'members')) await withdrawInvitationsOf(member, act);
    },
    async setInvitedRole(id: string, role: string): Promise<void> {
      await transaction.updateTable('space_invitation').set({ role }).where('id', '=', id).execute();
    },

    /** Ends a membership with its link, that link's listings and shares, and the member's open invitations. */
    async part(member: Member, act: Act): Promise<void> {
      await transaction.deleteFrom('link').where('id', '=', member.linkId).execute();
      await withdrawInvitationsOf(member, act);
    },

    /** Renames the Space for everybody, except members who have named their link themselves; false when the owner has a Space of that name. */
    async rename(name: string): Promise<boolean> {
      const nameKey = nameKeyOf(name);
      const other = await transaction
        .selectFrom('space')
        .select('id')
        .where('ownerId', '=', space.ownerId)
        .where('nameKey', '=', nameKey)
        .where('id', '!=', spaceId)
        .executeTakeFirst();
      if (other) return false;
      await transaction.updateTable('space').set({ name, nameKey }).where('id', '=', spaceId).execute();
      const links = await transaction
        .selectFrom('space_member')
        .innerJoin('link', 'link.id', 'space_member.linkId')
        .select(['link.id', 'link.accountId'])
        .where('spaceId', '=', spaceId)
        .where('link.name', '=', space.name)
        .execute();
      for (const { id, accountId } of links) {
        const free = nameKey === space.nameKey ? name : await freeLinkName(transaction, accountId, name);
        await transaction
          .updateTable('link')
          .set((by) => ({ name: free, nameKey: nameKeyOf(free), revision: by('revision', '+', 1) }))
          .where('id', '=', id)
          .execute();
      }
      return true;
    },
    async describe(description: string): Promise<void> {
      await transaction.updateTable('space').set({ description }).where('id', '=', spaceId).execute();
    },
    /** Moves the Space to another folder and forgets what is stored about the former one. */
    async moveTo(storage: Pick<Database['space'], 'storageLinkId' | 'storagePath' | 'provider'>): Promise<void> {
      await transaction.updateTable('space').set(storage).where('id', '=', spaceId).execute();
      const links = transaction.selectFrom('space_member').select('linkId').where('spaceId', '=', spaceId);
      // Their rows are deleted later, slice by slice.
      await transaction.updateTable('listing_folder').set({ pathKey: goneKey, listedAt: null }).where('linkId', 'in', links).execute();
      await transaction.deleteFrom('weblink').where('linkId', 'in', links).execute();
    },

    /** Ends the Space and deletes the links of all its members. */
    async end(): Promise<void> {
      const links = transaction.selectFrom('space_member').select('linkId').where('spaceId', '=', spaceId);
      await transaction.deleteFrom('link').where('id', 'in', links).execute();
      await transaction.deleteFrom('space').where('id', '=', spaceId).execute();
    },
  };
}
