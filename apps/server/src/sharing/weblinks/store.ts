import { sql } from 'kysely';
import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

type Row = Database['weblink'];
/** A share with the name of its link. */
export type WeblinkRow = Row & { readonly linkName: string };
/** An item of a share of several. */
export type SharedItemRow = Database['weblinkItem'];

/** Store of shares. */
export function createWeblinkStore(db: Db) {
  const withLink = () =>
    db.selectFrom('weblink').innerJoin('link', 'link.id', 'weblink.linkId').selectAll('weblink').select('link.name as linkName');
  return {
    /** The account's shares, newest first. */
    list: (accountId: string): Promise<WeblinkRow[]> =>
      withLink().where('weblink.accountId', '=', accountId).orderBy('ordinal', 'desc').execute(),

    /** Items of one link that the account's shares show now. */
    async shared(accountId: string, linkId: string, now: number): Promise<string[]> {
      const open = db
        .selectFrom('weblink')
        .where('accountId', '=', accountId)
        .where((by) => by.or([by('expiresAt', 'is', null), by('expiresAt', '>', now)]));
      const rows = await open
        .where('linkId', '=', linkId)
        .where('itemCount', '=', 1)
        .select('path')
        .union(
          open
            .innerJoin('weblinkItem', 'weblinkItem.weblinkId', 'weblink.id')
            .where('weblinkItem.linkId', '=', linkId)
            .select('weblinkItem.path'),
        )
        .execute();
      return rows.map(({ path }) => path);
    },

    /** Items of a share of several, by their names; the one of that name only, if it is given. */
    items: (weblinkId: string, name?: string): Promise<SharedItemRow[]> =>
      db
        .selectFrom('weblinkItem')
        .selectAll()
        .where('weblinkId', '=', weblinkId)
        .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
        .orderBy('name')
        .execute(),

    /** A share that visitors may open now: not expired, and its owner's account is active. */
    findOpen: (id: string, now: number): Promise<WeblinkRow | undefined> =>
      withLink()
        .innerJoin('account', 'account.id', 'weblink.accountId')
        .where('weblink.id', '=', id)
        .where((by) => by.or([by('expiresAt', 'is', null), by('expiresAt', '>', now)]))
        .where('account.disabledAt', 'is', null)
        .where('account.closesAt', 'is', null)
        .executeTakeFirst(),

    find: (accountId: string, id: string): Promise<WeblinkRow | undefined> =>
      withLink().where('weblink.accountId', '=', accountId).where('weblink.id', '=', id).executeTakeFirst(),

    /** Stores a share and, of several, its items. False when the account has `most` shares already. */
    insert: (
      row: Omit<Row, 'ordinal' | 'downloads' | 'notifiedAt'>,
      items: readonly Omit<SharedItemRow, 'weblinkId'>[],
      event: AuditEvent,
      most: number | undefined,
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        if (most !== undefined) {
          // Locks the account's row until commit, so that of two shares made at once the second one is counted.
          await transaction.updateTable('account').set({ id: row.accountId }).where('id', '=', row.accountId).execute();
          const { count } = await transaction
            .selectFrom('weblink')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('accountId', '=', row.accountId)
            .executeTakeFirstOrThrow();
          if (Number(count) >= most) return false;
        }
        const ordinal = sql<number>`(select coalesce(max(ordinal), 0) + 1 from weblink where "accountId" = ${row.accountId})`;
        await transaction
          .insertInto('weblink')
          .values({ ...row, downloads: 0, notifiedAt: null, ordinal })
          .execute();
        if (items.length > 0)
          await transaction
            .insertInto('weblinkItem')
            .values(items.map((item) => ({ ...item, weblinkId: row.id })))
            .execute();
        await recordAudit(transaction, event);
        return true;
      }),

    async update(
      accountId: string,
      id: string,
      change: Partial<Pick<Row, 'passwordHash' | 'expirationSeconds' | 'expiresAt' | 'downloadLimit' | 'viewOnly' | 'notifies'>>,
      event: AuditEvent,
    ): Promise<void> {
      if (Object.keys(change).length === 0) return;
      await db.transaction().execute(async (transaction) => {
        const query = transaction
          .updateTable('weblink')
          .set(change)
          .where('accountId', '=', accountId)
          .where('id', '=', id)
          .returning('id');
        if (await query.executeTakeFirst()) await recordAudit(transaction, event);
      });
    },

    /** Returns false when the account has no such share. */
    remove: (accountId: string, id: string, event: AuditEvent): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('weblink').where('accountId', '=', accountId).where('id', '=', id).returning('id');
        if (!(await query.executeTakeFirst())) return false;
        await recordAudit(transaction, event);
        return true;
      }),

    async countVisit(id: string): Promise<void> {
      await db
        .updateTable('weblink')
        .set((by) => ({ visits: by('visits', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },

    /**
     * Counts a download unless `key` was counted since `since`; returns false, and counts nothing, when the limit is reached. Of two downloads at the same
     * moment one gets the last one.
     */
    async countDownload(weblinkId: string, { key, at, since }: { key: string; at: number; since: number }): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const counted = transaction.selectFrom('weblinkDownload').select('id').where('id', '=', key).where('at', '>', since);
        if (await counted.executeTakeFirst()) return true;
        const taken = await transaction
          .updateTable('weblink')
          .set((by) => ({ downloads: by('downloads', '+', 1) }))
          .where('id', '=', weblinkId)
          .where((by) => by.or([by('downloadLimit', 'is', null), by('downloads', '<', by.ref('downloadLimit'))]))
          .returning('id')
          .executeTakeFirst();
        if (!taken) return false;
        await transaction.deleteFrom('weblinkDownload').where('weblinkId', '=', weblinkId).where('at', '<=', since).execute();
        await transaction
          .insertInto('weblinkDownload')
          .values({ id: key, weblinkId, at })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
          .execute();
        return true;
      });
    },

    /** Whether a notice about the share may be sent now: the last one was before `before`. Of several callers one gets true. */
    async takeNotice(id: string, now: number, before: number): Promise<boolean> {
      const query = db
        .updateTable('weblink')
        .set({ notifiedAt: now })
        .where('id', '=', id)
        .where('notifies', '=', 1)
        .where((by) => by.or([by('notifiedAt', 'is', null), by('notifiedAt', '<=', before)]))
        .returning('id');
      return (await query.executeTakeFirst()) !== undefined;
    },
  };
}
export type WeblinkStore = ReturnType<typeof createWeblinkStore>;
