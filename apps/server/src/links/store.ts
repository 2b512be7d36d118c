import type { Db } from '#/db/database.ts';
import type { Database } from '#/db/schema.ts';

export type LinkRow = Database['link'];

/** What is stored beside a link's row. */
export interface LinkParts {
  /** Sealed secrets by field; given, they replace all that were there. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Whose grant is among the secrets. */
  readonly grantOwner?: string;
  /** What connectors are to remember, added to what they do. */
  readonly facts?: ReadonlyMap<string, string>;
  /** True when nothing remembered holds any more. */
  readonly forgetsFacts?: boolean;
}

/** Links and what belongs to them. */
export function createLinkStore(db: Db) {
  async function putParts(transaction: Db, linkId: string, { secrets, grantOwner, facts, forgetsFacts }: LinkParts): Promise<void> {
    if (secrets) {
      await transaction.deleteFrom('link_secret').where('linkId', '=', linkId).execute();
      const rows = Object.entries(secrets).map(([field, sealed]) => ({ linkId, field, sealed }));
      if (rows.length > 0) await transaction.insertInto('link_secret').values(rows).execute();
    }
    if (grantOwner !== undefined) {
      await transaction
        .insertInto('link_grant')
        .values({ linkId, owner: grantOwner, renewer: null, renewsUntil: 0 })
        .onConflict((conflict) => conflict.column('linkId').doUpdateSet({ owner: grantOwner }))
        .execute();
    }
    if (forgetsFacts) await transaction.deleteFrom('link_fact').where('linkId', '=', linkId).execute();
    for (const [fact, value] of facts ?? []) {
      await transaction
        .insertInto('link_fact')
        .values({ linkId, fact, value })
        .onConflict((conflict) => conflict.columns(['linkId', 'fact']).doUpdateSet({ value }))
        .execute();
    }
  }

  /** False when the account already has a link of that name. */
  async function insertInto(transaction: Db, row: LinkRow, parts: LinkParts): Promise<boolean> {
    const inserted = await transaction
      .insertInto('link')
      .values(row)
      .onConflict((conflict) => conflict.columns(['accountId', 'nameKey']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) await putParts(transaction, row.id, parts);
    return inserted !== undefined;
  }

  return {
    list: (accountId: string): Promise<LinkRow[]> =>
      db.selectFrom('link').selectAll().where('accountId', '=', accountId).orderBy('nameKey').execute(),
    find: (accountId: string, linkId: string): Promise<LinkRow | undefined> =>
      db.selectFrom('link').selectAll().where('accountId', '=', accountId).where('id', '=', linkId).executeTakeFirst(),
    findByIdentity: (accountId: string, identity: string): Promise<LinkRow[]> =>
      db.selectFrom('link').selectAll().where('accountId', '=', accountId).where('identity', '=', identity).orderBy('createdAt').execute(),
    /** What makes the account's link names unique. */
    async nameKeys(accountId: string): Promise<ReadonlySet<string>> {
      const rows = await db.selectFrom('link').select('nameKey').where('accountId', '=', accountId).execute();
      return new Set(rows.map(({ nameKey }) => nameKey));
    },
    /** False when the account already has a link of that name. */
    insert: (row: LinkRow, parts: LinkParts): Promise<boolean> =>
      db.transaction().execute((transaction) => insertInto(transaction, row, parts)),
    /** As `insert`, unless the account has a link of that provider and identity already; of two at the same moment one comes second. */
    insertUnlessLinked: (row: LinkRow, parts: LinkParts): Promise<'inserted' | 'linked' | 'nameTaken'> =>
      db.transaction().execute(async (transaction) => {
        // Holds the account's row until the end: on Postgres two transactions would not see each other's links.
        await transaction.updateTable('account').set({ id: row.accountId }).where('id', '=', row.accountId).execute();
        const linked = await transaction
          .selectFrom('link')
          .select('id')
          .where('accountId', '=', row.accountId)
          .where('provider', '=', row.provider)
          .where('identity', '=', row.identity)
          .executeTakeFirst();
        if (linked) return 'linked';
        return (await insertInto(transaction, row, parts)) ? 'inserted' : 'nameTaken';
      }),
    /** Changes a link; false when another of the account's links has that name. */
    async update(linkId: string, change: Partial<Omit<LinkRow, 'id' | 'accountId' | 'revision'>>, parts: LinkParts): Promise<boolean> {
      try {
        await db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('link')
            .set((by) => ({ ...change, revision: by('revision', '+', 1) }))
            .where('id', '=', linkId)
            .execute();
          await putParts(transaction, linkId, parts);
        });
        return true;
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
    },
    /** Removes the link with all that belongs to it; false when the account has no such link. */
    async remove(accountId: string, linkId: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('link')
        .where('accountId', '=', accountId)
        .where('id', '=', linkId)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },
    secretsOf: (linkId: string): Promise<Database['link_secret'][]> =>
      db.selectFrom('link_secret').selectAll().where('linkId', '=', linkId).execute(),
    async recall(linkId: string, fact: string): Promise<string | undefined> {
      const row = await db.selectFrom('link_fact').select('value').where('linkId', '=', linkId).where('fact', '=', fact).executeTakeFirst();
      return row?.value;
    },
  };
}
export type LinkStore = ReturnType<typeof createLinkStore>;

/** A unique index said no: SQLITE_CONSTRAINT_UNIQUE (https://sqlite.org/rescode.html#constraint_unique), or unique_violation of Postgres. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && (('errcode' in error && error.errcode === 2067) || ('code' in error && error.code === '23505'));
