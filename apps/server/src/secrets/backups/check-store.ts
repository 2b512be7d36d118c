import type { Db } from '#/platform/db/schema/engine.ts';

/** Reads a restored database, to see what it holds. */
export function createCheckStore(db: Db) {
  const count = async (table: 'account' | 'link'): Promise<number> =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    );
  return {
    counts: async () => ({ accounts: await count('account'), links: await count('link') }),
    secrets: () => db.selectFrom('link_secret').select(['linkId', 'field', 'sealed']).execute(),
  };
}
