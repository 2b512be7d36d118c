import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type TicketPurpose = 'factor' | 'reopen';
type Row = Database['sign_in_ticket'];

/** Store of sign-ins that wait for their second factor, keyed by the ticket's hash. */
export function createTicketStore(db: Db) {
  return {
    async insert(row: Row & { purpose: TicketPurpose }): Promise<void> {
      await db.insertInto('sign_in_ticket').values(row).execute();
    },
    find: (tokenHash: string, purpose: TicketPurpose, now: number): Promise<Row | undefined> =>
      db
        .selectFrom('sign_in_ticket')
        .selectAll()
        .where('tokenHash', '=', tokenHash)
        .where('purpose', '=', purpose)
        .where('expiresAt', '>', now)
        .executeTakeFirst(),
    /** Deletes it; false when another request did. */
    async take(tokenHash: string): Promise<boolean> {
      const taken = await db.deleteFrom('sign_in_ticket').where('tokenHash', '=', tokenHash).returning('tokenHash').executeTakeFirst();
      return taken !== undefined;
    },
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('sign_in_ticket').where('expiresAt', '<=', now).execute();
    },
  };
}
export type TicketStore = ReturnType<typeof createTicketStore>;
