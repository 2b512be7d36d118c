import { usualBinDays } from '@sheaf/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type JournalRow = Database['journal'];
export type JournalKey = Pick<JournalRow, 'linkId' | 'id'>;
type Change = Partial<Pick<JournalRow, 'state' | 'size' | 'modified' | 'etag' | 'bin' | 'binId' | 'toPath'>>;

/** Rows of a link's hidden bin: those of one scope, or all. */
export interface BinOf {
  readonly linkId: string;
  readonly scope?: string;
}

/** Rows that one statement deletes, which takes milliseconds. */
const sliceSize = 1000;

/** Store of changes and of what hidden bins hold. */
export function createChangeStore(database: Pick<OpenDatabase, 'db' | 'grouped' | 'sqlite' | 'aside' | 'background'>) {
  const { db, grouped, background } = database;
  /** Sums over all changes of an account, of which there may be hundreds of thousands. */
  const readLong = database.aside?.read ?? createRead(database);
  const held = ({ linkId, scope }: BinOf) => {
    const rows = db
      .selectFrom('journal')
      .where('journal.linkId', '=', linkId)
      .where('journal.bin', '=', 'hidden')
      .where('journal.state', 'in', ['begun', 'done']);
    return scope === undefined ? rows : rows.where('journal.scope', '=', scope);
  };

  /** Replacements that had begun by then and have not ended, by an index of their own. */
  const hanging = (before: number) =>
    db.selectFrom('journal').where('kind', '=', 'replace').where('state', '=', 'begun').where('createdAt', '<=', before);

  /** Deletes rows slice by slice. */
  async function drop(which: RawBuilder<unknown>): Promise<void> {
    const slice =
      sql`delete from journal where ("linkId", id) in (select "linkId", id from journal where ${which} limit ${sliceSize})`.compile(db);
    for (let dropped = sliceSize; dropped === sliceSize;) dropped = (await background.write([slice]))[0]?.changes ?? 0;
  }
  const removeLink = (linkId: string): Promise<void> => drop(sql`"linkId" = ${linkId}`);

  return {
    add: (row: JournalRow): Promise<void> => grouped(async (handle) => void (await handle.insertInto('journal').values(row).execute())),
    change: ({ linkId, id }: JournalKey, change: Change): Promise<void> =>
      grouped(
        async (handle) =>
          void (await handle.updateTable('journal').set(change).where('linkId', '=', linkId).where('id', '=', id).execute()),
      ),
    remove: ({ linkId, id }: JournalKey): Promise<void> =>
      grouped(async (handle) => void (await handle.deleteFrom('journal').where('linkId', '=', linkId).where('id', '=', id).execute())),

    /** The account's rows of one undo before that id, the last first. */
    ofUndo: (accountId: string, undoId: string, before: string | undefined, limit: number): Promise<JournalRow[]> => {
      const rows = db.selectFrom('journal').selectAll().where('accountId', '=', accountId).where('undoId', '=', undoId);
      return (before === undefined ? rows : rows.where('id', '<', before)).orderBy('id', 'desc').limit(limit).execute();
    },

    /** The account's changes, grouped by their undo, the newest first. */
    async changes(accountId: string, now: number, limit: number) {
      const query = db
        .selectFrom('journal')
        .innerJoin('link', 'link.id', 'journal.viaLinkId')
        .select(['undoId', 'kind', 'viaLinkId', 'link.name as linkName', 'link.sourceType'])
        .select((eb) => [
          eb.fn.countAll<number | string>().as('items'),
          sql<number | string>`sum(case when journal.state = 'undone' then 1 else 0 end)`.as('undone'),
          sql<
            number | string
          >`sum(case when journal.state in ('begun', 'done') and "expiresAt" > ${now} and (kind <> 'delete' or "binId" is not null) then 1 else 0 end)`.as(
            'undoable',
          ),
          eb.fn.max('journal.id').as('lastId'),
          eb.fn.sum<number | string | null>('journal.size').as('size'),
          eb.fn.min('journal.createdAt').as('at'),
          eb.fn.max('expiresAt').as('until'),
        ])
        .where('journal.accountId', '=', accountId)
        .groupBy(['undoId', 'kind', 'viaLinkId', 'link.name', 'link.sourceType'])
        .orderBy('lastId', 'desc')
        .limit(limit);
      const rows = await readLong(query.compile());
      const ids = rows.map(({ lastId }) => lastId);
      const last =
        ids.length === 0
          ? []
          : await db
              .selectFrom('journal')
              .select(['id', 'path', 'toPath'])
              .where('accountId', '=', accountId)
              .where('id', 'in', ids)
              .execute();
      const byId = new Map(last.map((row) => [row.id, row]));
      return rows.flatMap((row) => {
        const example = byId.get(row.lastId);
        return example ? [{ ...row, path: example.path, toPath: example.toPath }] : [];
      });
    },

    /** Changes of the item at that path of the storing link and of items below it, before or after, the newest first, with who made them. */
    below(linkId: string, path: string, limit: number) {
      const full = (column: string) => sql`case when scope = '/' then ${sql.ref(column)} else scope || ${sql.ref(column)} end`;
      const isThere = (column: string) =>
        path === '/'
          ? sql`true`
          : sql`(${full(column)} = ${path} or substr(${full(column)}, 1, length(cast(${`${path}/`} as text))) = ${`${path}/`})`;
      const query = db
        .selectFrom('journal')
        .leftJoin('account', 'account.id', 'journal.accountId')
        .select(['journal.id', 'journal.accountId', 'journal.kind', 'journal.state', 'journal.path', 'journal.toPath', 'journal.scope'])
        .select(['journal.createdAt', 'account.name as actorName'])
        .where('journal.linkId', '=', linkId)
        .where('journal.state', '<>', 'begun')
        .where(sql<SqlBool>`(${isThere('path')} or ("toPath" is not null and ${isThere('toPath')}))`)
        .orderBy('journal.id', 'desc')
        .limit(limit);
      return readLong(query.compile());
    },

    /** A page of a hidden bin, the newest first, with the names of those who deleted. */
    held: (bin: BinOf, offset: number, limit: number) =>
      held(bin)
        .leftJoin('account', 'account.id', 'journal.accountId')
        .selectAll('journal')
        .select('account.name as deletedBy')
        .orderBy('journal.createdAt', 'desc')
        .orderBy('journal.id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute(),
    async heldSum(bin: BinOf): Promise<{ total: number; bytes: number }> {
      const sum = await held(bin)
        .select((eb) => [
          eb.fn.countAll<number | string>().as('total'),
          sql<number | string | null>`sum(coalesce("binSize", journal.size))`.as('bytes'),
        ])
        .executeTakeFirst();
      return { total: Number(sum?.total ?? 0), bytes: Number(sum?.bytes ?? 0) };
    },
    heldItems: (bin: BinOf, ids: readonly string[]): Promise<JournalRow[]> =>
      ids.length === 0 ? Promise.resolve([]) : held(bin).selectAll('journal').where('journal.id', 'in', ids).execute(),

    /** The row of an item of a source's own bin, so that its change counts as undone or cannot be undone any more. */
    async settleSource(linkId: string, binId: string, state: 'undone' | 'purged'): Promise<void> {
      const isIt = sql<SqlBool>`"linkId" = ${linkId} and bin = 'source' and "binId" = ${binId}`;
      await db.updateTable('journal').set({ state }).where(isIt).where('state', 'in', ['begun', 'done']).execute();
    },

    /** Links with items of hidden bins whose time is over, and their owners. */
    dueLinks: (now: number, limit: number): Promise<{ linkId: string; ownerId: string }[]> =>
      db
        .selectFrom('journal')
        .innerJoin('link', 'link.id', 'journal.linkId')
        .select(['journal.linkId', 'link.accountId as ownerId'])
        .distinct()
        .where('expiresAt', '<=', now)
        .where('bin', '=', 'hidden')
        .where('journal.state', 'in', ['begun', 'done'])
        .limit(limit)
        .execute(),
    due: (linkId: string, now: number, after: string, limit: number): Promise<JournalRow[]> =>
      held({ linkId }).selectAll('journal').where('expiresAt', '<=', now).where('id', '>', after).orderBy('id').limit(limit).execute(),
    /** Links with replacements that have not ended by that time, and their rows of one link. */
    hangingLinks: async (before: number, limit: number): Promise<string[]> => {
      const rows = await hanging(before).select('linkId').distinct().limit(limit).execute();
      return rows.map(({ linkId }) => linkId);
    },
    hanging: (linkId: string, before: number, limit: number): Promise<JournalRow[]> =>
      hanging(before).selectAll().where('linkId', '=', linkId).orderBy('id').limit(limit).execute(),
    removeLink,
    /** Forgets changes whose time is over, except items that hidden bins still hold, and those of links that are gone. */
    async sweep(now: number): Promise<void> {
      await drop(sql`"expiresAt" <= ${now} and (bin is null or bin in ('source', 'version') or state in ('undone', 'purged'))`);
      for (let after = ''; ;) {
        // From link to link by the key: a scan would read every row.
        const next = await db
          .selectFrom('journal')
          .select('linkId')
          .where('linkId', '>', after)
          .orderBy('linkId')
          .limit(1)
          .executeTakeFirst();
        if (!next) return;
        after = next.linkId;
        if (!(await db.selectFrom('link').select('id').where('id', '=', after).executeTakeFirst())) await removeLink(after);
      }
    },

    ownerOf: async (linkId: string): Promise<string | undefined> =>
      (await db.selectFrom('link').select('accountId').where('id', '=', linkId).executeTakeFirst())?.accountId,
    /** Days for which the hidden bin of the link keeps items, as its owner chose. */
    async daysOfLink(linkId: string): Promise<number> {
      const row = await db
        .selectFrom('link')
        .innerJoin('binSetting', 'binSetting.accountId', 'link.accountId')
        .select('days')
        .where('link.id', '=', linkId)
        .executeTakeFirst();
      return row?.days ?? usualBinDays;
    },
    daysOf: async (accountId: string): Promise<number> =>
      (await db.selectFrom('binSetting').select('days').where('accountId', '=', accountId).executeTakeFirst())?.days ?? usualBinDays,
    async setDays(accountId: string, days: number): Promise<void> {
      await db
        .insertInto('binSetting')
        .values({ accountId, days })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ days }))
        .execute();
    },
  };
}
export type ChangeStore = ReturnType<typeof createChangeStore>;
