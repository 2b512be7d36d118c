import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type LinkRow = Database['link'];
export type LinkState = 'ok' | 'unknown' | 'attention';

/** Store of the data for opening links. */
export function createConnectionStore(db: Db) {
  return {
    find: (accountId: string, linkId: string): Promise<LinkRow | undefined> =>
      db.selectFrom('link').selectAll().where('id', '=', linkId).where('accountId', '=', accountId).executeTakeFirst(),
    async findIdByName(accountId: string, name: string): Promise<string | undefined> {
      const row = await db.selectFrom('link').select('id').where('accountId', '=', accountId).where('name', '=', name).executeTakeFirst();
      return row?.id;
    },
    /** Number of the last save; undefined for a link that is gone, or whose account is disabled: everything that runs through it ends. */
    async revisionOf(linkId: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('link')
        .innerJoin('account', 'account.id', 'link.accountId')
        .select(['link.revision', 'account.disabledAt'])
        .where('link.id', '=', linkId)
        .executeTakeFirst();
      return row === undefined || row.disabledAt !== null ? undefined : row.revision;
    },
    secretsOf: (linkId: string): Promise<Database['link_secret'][]> =>
      db.selectFrom('link_secret').selectAll().where('linkId', '=', linkId).execute(),
    async setState(linkId: string, revision: number, state: LinkState, attention: string | null, checkedAt: number): Promise<void> {
      await db.updateTable('link').set({ state, attention, checkedAt }).where('id', '=', linkId).where('revision', '=', revision).execute();
    },
    async recall(linkId: string, fact: string): Promise<string | undefined> {
      const row = await db.selectFrom('link_fact').select('value').where('linkId', '=', linkId).where('fact', '=', fact).executeTakeFirst();
      return row?.value;
    },
    async remember(linkId: string, fact: string, value: string): Promise<void> {
      await db
        .insertInto('link_fact')
        .values({ linkId, fact, value })
        .onConflict((conflict) => conflict.columns(['linkId', 'fact']).doUpdateSet({ value }))
        .execute();
    },
    /** Secrets in pages, for resealing. */
    secretsAfter: (linkId: string, field: string, limit: number): Promise<Database['link_secret'][]> =>
      db
        .selectFrom('link_secret')
        .selectAll()
        .where((by) => by.or([by('linkId', '>', linkId), by.and([by('linkId', '=', linkId), by('field', '>', field)])]))
        .orderBy('linkId')
        .orderBy('field')
        .limit(limit)
        .execute(),
    /** Replaces a sealed text, unless the user has saved a new secret meanwhile. */
    async replaceSealed({ linkId, field, sealed }: Database['link_secret'], replacement: string): Promise<void> {
      await db
        .updateTable('link_secret')
        .set({ sealed: replacement })
        .where('linkId', '=', linkId)
        .where('field', '=', field)
        .where('sealed', '=', sealed)
        .execute();
    },
  };
}
export type ConnectionStore = ReturnType<typeof createConnectionStore>;
