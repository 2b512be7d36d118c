import { sql } from 'kysely';
import type { Db } from '#/db/database.ts';
import type { Database } from '#/db/schema.ts';

type Row = Database['weblink'];
/** A share, with the name of the link that it leads into. */
export type WeblinkRow = Row & { readonly linkName: string };

/** Shares in the database. */
export function createWeblinkStore(db: Db) {
  const withLink = () =>
    db.selectFrom('weblink').innerJoin('link', 'link.id', 'weblink.linkId').selectAll('weblink').select('link.name as linkName');
  return {
    /** The account's shares, the newest first. */
    list: (accountId: string): Promise<WeblinkRow[]> =>
      withLink().where('weblink.accountId', '=', accountId).orderBy('ordinal', 'desc').execute(),

    /** The share that strangers may open now: not expired, and its owner's account in use. */
    findOpen: (id: string, now: number): Promise<WeblinkRow | undefined> =>
      withLink()
        .innerJoin('account', 'account.id', 'weblink.accountId')
        .where('weblink.id', '=', id)
        .where((by) => by.or([by('expiresAt', 'is', null), by('expiresAt', '>', now)]))
        .where('account.disabledAt', 'is', null)
        .executeTakeFirst(),

    find: (accountId: string, id: string): Promise<Row | undefined> =>
      db.selectFrom('weblink').selectAll().where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst(),

    async insert(row: Omit<Row, 'ordinal'>): Promise<void> {
      const ordinal = sql<number>`(select coalesce(max(ordinal), 0) + 1 from weblink where "accountId" = ${row.accountId})`;
      await db
        .insertInto('weblink')
        .values({ ...row, ordinal })
        .execute();
    },

    async update(
      accountId: string,
      id: string,
      change: Partial<Pick<Row, 'passwordHash' | 'expirationSeconds' | 'expiresAt'>>,
    ): Promise<void> {
      if (Object.keys(change).length === 0) return;
      await db.updateTable('weblink').set(change).where('accountId', '=', accountId).where('id', '=', id).execute();
    },

    /** False when the account has no such share. */
    async remove(accountId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('weblink').where('accountId', '=', accountId).where('id', '=', id).returning('id');
      return (await query.executeTakeFirst()) !== undefined;
    },

    async countVisit(id: string): Promise<void> {
      await db
        .updateTable('weblink')
        .set((by) => ({ visits: by('visits', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },
  };
}
export type WeblinkStore = ReturnType<typeof createWeblinkStore>;
