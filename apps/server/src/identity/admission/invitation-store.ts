import { recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type InvitationRow = Database['signUpInvitation'];
/** An invitation, with the name of the operator who made it. */
export type ShownInvitation = InvitationRow & { readonly inviter: string | null };

const aLink = 'a link to copy';

/** Store of invitations to create an account. */
export function createSignUpInvitationStore(db: Db) {
  return {
    /** Open invitations, newest first. */
    list: (now: number, limit: number): Promise<ShownInvitation[]> =>
      db
        .selectFrom('signUpInvitation')
        .leftJoin('account', 'account.id', 'signUpInvitation.invitedBy')
        .selectAll('signUpInvitation')
        .select('account.name as inviter')
        .where('signUpInvitation.expiresAt', '>', now)
        .orderBy('signUpInvitation.createdAt', 'desc')
        .orderBy('signUpInvitation.id')
        .limit(limit)
        .execute(),

    /** Adds an invitation, in place of an earlier one to the same address. */
    put: (row: InvitationRow): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        if (row.emailKey !== null) await transaction.deleteFrom('signUpInvitation').where('emailKey', '=', row.emailKey).execute();
        await transaction.insertInto('signUpInvitation').values(row).execute();
        const { invitedBy, email, createdAt } = row;
        await recordOperatorEvent(transaction, { actorId: invitedBy, action: 'people.invite', subject: email ?? aLink, at: createdAt });
      }),

    /** False when there is no such invitation. */
    withdraw: (id: string, actorId: string, at: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const gone = await transaction.deleteFrom('signUpInvitation').where('id', '=', id).returning('email').executeTakeFirst();
        if (gone) await recordOperatorEvent(transaction, { actorId, action: 'people.withdraw', subject: gone.email ?? aLink, at });
        return gone !== undefined;
      }),

    async sweep(now: number): Promise<void> {
      await db.deleteFrom('signUpInvitation').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SignUpInvitationStore = ReturnType<typeof createSignUpInvitationStore>;
