import type { AuditAction } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { isTaken } from '#/platform/db/unique.ts';
import { spacesProvider } from '../connections/spaces-provider.ts';

export type LinkRow = Database['link'];

/** Data stored besides a link's row. */
export interface LinkParts {
  /** Sealed secrets by field; if given, they replace all stored ones. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Owner of the grant among the secrets. */
  readonly grantOwner?: string;
  /** Facts for the connector, merged with stored ones. */
  readonly facts?: ReadonlyMap<string, string>;
  /** Whether stored facts are invalid. */
  readonly forgetsFacts?: boolean;
}

/** The acting user, and the action in the owner's log. */
export interface LinkAct {
  readonly actorId: string;
  readonly action: Extract<AuditAction, `link.${string}`>;
  /** Epoch seconds. */
  readonly at: number;
}

type Subject = Pick<LinkRow, 'id' | 'accountId' | 'name'>;
const record = (transaction: Db, { id, accountId, name }: Subject, act: LinkAct): Promise<void> =>
  recordAudit(transaction, { ...act, accountId, subjectId: id, subjectName: name });

/** Result of an insert: `full` when the account has as many links as it may. */
type Inserted = 'inserted' | 'nameTaken' | 'full';

/** Marks a link created before the account's address was verified, until its owner claims it. */
const unclaimedFact = 'unclaimed';

/** Store of links and what belongs to them. Every change is recorded in the owner's log. */
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

  /** Locks the account's row until commit: on Postgres two transactions would not see each other's links. */
  const lockAccount = (transaction: Db, id: string) => transaction.updateTable('account').set({ id }).where('id', '=', id).execute();

  /** `most`: how many links the account may have, Spaces aside. */
  async function insertInto(transaction: Db, row: LinkRow, parts: LinkParts, act: LinkAct, most: number | undefined): Promise<Inserted> {
    if (most !== undefined) {
      await lockAccount(transaction, row.accountId);
      const { count } = await transaction
        .selectFrom('link')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('accountId', '=', row.accountId)
        .where('provider', '<>', spacesProvider)
        .executeTakeFirstOrThrow();
      if (Number(count) >= most) return 'full';
    }
    const inserted = await transaction
      .insertInto('link')
      .values(row)
      .onConflict((conflict) => conflict.columns(['accountId', 'nameKey']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return 'nameTaken';
    await putParts(transaction, row.id, parts);
    await record(transaction, row, act);
    return 'inserted';
  }

  return {
    list: (accountId: string): Promise<LinkRow[]> =>
      db.selectFrom('link').selectAll().where('accountId', '=', accountId).orderBy('nameKey').execute(),
    /** The links of all these accounts. */
    listOf: (accountIds: readonly string[]): Promise<LinkRow[]> =>
      db.selectFrom('link').selectAll().where('accountId', 'in', accountIds).orderBy('nameKey').orderBy('accountId').execute(),
    /** The link's owner. */
    async ownerOf(linkId: string): Promise<string | undefined> {
      return (await db.selectFrom('link').select('accountId').where('id', '=', linkId).executeTakeFirst())?.accountId;
    },
    find: (accountId: string, linkId: string): Promise<LinkRow | undefined> =>
      db.selectFrom('link').selectAll().where('accountId', '=', accountId).where('id', '=', linkId).executeTakeFirst(),
    findByIdentity: (accountId: string, identity: string): Promise<LinkRow[]> =>
      db.selectFrom('link').selectAll().where('accountId', '=', accountId).where('identity', '=', identity).orderBy('createdAt').execute(),
    /** Keys of the account's link names. */
    async nameKeys(accountId: string): Promise<ReadonlySet<string>> {
      const rows = await db.selectFrom('link').select('nameKey').where('accountId', '=', accountId).execute();
      return new Set(rows.map(({ nameKey }) => nameKey));
    },
    /** `most`: how many links the account may have; undefined: as many as it likes. */
    insert: (row: LinkRow, parts: LinkParts, act: LinkAct, most: number | undefined): Promise<Inserted> =>
      db.transaction().execute((transaction) => insertInto(transaction, row, parts, act, most)),
    /** Like `insert`, unless the account has a link with that provider and identity; concurrent calls are serialised. */
    insertUnlessLinked: (row: LinkRow, parts: LinkParts, act: LinkAct, most: number | undefined): Promise<Inserted | 'linked'> =>
      db.transaction().execute(async (transaction) => {
        await lockAccount(transaction, row.accountId);
        const linked = await transaction
          .selectFrom('link')
          .select('id')
          .where('accountId', '=', row.accountId)
          .where('provider', '=', row.provider)
          .where('identity', '=', row.identity)
          .executeTakeFirst();
        if (linked) return 'linked';
        return insertInto(transaction, row, parts, act, most);
      }),
    /** Changes a link; `nameTaken` when another link has that name, `gone` when it does not exist. */
    async update(
      { id, accountId }: Pick<LinkRow, 'id' | 'accountId'>,
      change: Partial<Omit<LinkRow, 'id' | 'accountId' | 'revision'>>,
      parts: LinkParts,
      act: LinkAct,
    ): Promise<'updated' | 'nameTaken' | 'gone'> {
      try {
        return await db.transaction().execute(async (transaction) => {
          const updated = await transaction
            .updateTable('link')
            .set((by) => ({ ...change, revision: by('revision', '+', 1) }))
            .where('id', '=', id)
            .where('accountId', '=', accountId)
            .returning('name')
            .executeTakeFirst();
          if (!updated) return 'gone';
          await putParts(transaction, id, parts);
          await record(transaction, { id, accountId, name: updated.name }, act);
          return 'updated';
        });
      } catch (error) {
        if (isTaken(error)) return 'nameTaken';
        throw error;
      }
    },
    /** Deletes the link with everything that belongs to it; false when it does not exist. */
    remove: (accountId: string, linkId: string, act: LinkAct): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('link').where('accountId', '=', accountId).where('id', '=', linkId);
        const removed = await query.returning('name').executeTakeFirst();
        if (!removed) return false;
        await record(transaction, { id: linkId, accountId, name: removed.name }, act);
        return true;
      }),
    /** Marks links to storage as possibly somebody else's; returns the names of all marked ones. */
    async markUnclaimed(accountId: string): Promise<string[]> {
      const links = await db
        .selectFrom('link')
        .select(['id', 'name'])
        .where('accountId', '=', accountId)
        .where('provider', '!=', 'Spaces')
        .orderBy('nameKey')
        .execute();
      const rows = links.map(({ id }) => ({ linkId: id, fact: unclaimedFact, value: '1' }));
      if (rows.length > 0)
        await db
          .insertInto('link_fact')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['linkId', 'fact']).doNothing())
          .execute();
      return links.map(({ name }) => name);
    },
    /** Ids of the account's marked links. */
    async unclaimed(accountId: string): Promise<ReadonlySet<string>> {
      const rows = await db
        .selectFrom('link_fact')
        .innerJoin('link', 'link.id', 'link_fact.linkId')
        .select('link_fact.linkId')
        .where('link.accountId', '=', accountId)
        .where('fact', '=', unclaimedFact)
        .execute();
      return new Set(rows.map(({ linkId }) => linkId));
    },
    async claim(linkId: string): Promise<void> {
      await db.deleteFrom('link_fact').where('linkId', '=', linkId).where('fact', '=', unclaimedFact).execute();
    },
    /** Ids of all links. */
    async allIds(): Promise<string[]> {
      return (await db.selectFrom('link').select('id').execute()).map(({ id }) => id);
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
