import type { LimitName, Limits } from '@sheaf/contract';
import { sql } from 'kysely';
import { type OperatorEvent, recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

/** A rule that applies to an account. */
interface Rule {
  readonly accountId: string | null;
  readonly most: number;
}

/** An account with its own rules. */
export interface LimitedRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly kind: string;
  readonly limits: Limits;
}

const idOf = (accountId: string | undefined, name: string): string => `${accountId ?? 'all'}:${name}`;

/** Store of limits. */
export function createLimitStore(db: Db) {
  const accounts = () => db.selectFrom('account').select(['id', 'name', 'email', 'kind']);

  async function limitsOf(ids: readonly string[]): Promise<(id: string) => Limits> {
    if (ids.length === 0) return () => ({});
    const rows = await db.selectFrom('limitRule').selectAll().where('accountId', 'in', ids).execute();
    const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    return (id) => toLimits(byAccount.get(id) ?? []);
  }

  return {
    /** The rules that apply to the account: its own, those of its organisations, and everyone's. */
    rulesOf: (accountId: string, name: LimitName): Promise<Rule[]> =>
      db
        .selectFrom('limitRule')
        .select(['accountId', 'most'])
        .where('name', '=', name)
        .where((by) =>
          by.or([
            by('accountId', 'is', null),
            by('accountId', '=', accountId),
            by('accountId', 'in', by.selectFrom('org_member').select('orgId').where('org_member.accountId', '=', accountId)),
          ]),
        )
        .execute(),

    async everyone(): Promise<Limits> {
      return toLimits(await db.selectFrom('limitRule').selectAll().where('accountId', 'is', null).execute());
    },

    /** Accounts with rules of their own, by name. */
    async limited(): Promise<LimitedRow[]> {
      const rows = await accounts()
        .where('id', 'in', db.selectFrom('limitRule').select('limitRule.accountId').where('limitRule.accountId', 'is not', null))
        .orderBy('name')
        .orderBy('id')
        .execute();
      const limits = await limitsOf(rows.map(({ id }) => id));
      return rows.map((row) => ({ ...row, limits: limits(row.id) }));
    },

    /** Accounts whose name or address contains the text, which is in lower case. */
    async search(query: string, limit: number): Promise<LimitedRow[]> {
      const like = `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const rows = await accounts()
        .where(sql<boolean>`("emailKey" like ${like} escape '\\' or lower(name) like ${like} escape '\\')`)
        .orderBy('name')
        .orderBy('id')
        .limit(limit)
        .execute();
      const limits = await limitsOf(rows.map(({ id }) => id));
      return rows.map((row) => ({ ...row, limits: limits(row.id) }));
    },

    async find(id: string): Promise<LimitedRow | undefined> {
      const row = await accounts().where('id', '=', id).executeTakeFirst();
      return row && { ...row, limits: (await limitsOf([id]))(id) };
    },

    /** Replaces the rules of an account, or everyone's, and logs it. */
    replace: (accountId: string | undefined, limits: Limits, event: OperatorEvent): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const old = transaction.deleteFrom('limitRule');
        await (accountId === undefined ? old.where('accountId', 'is', null) : old.where('accountId', '=', accountId)).execute();
        const rows = Object.entries(limits).map(([name, most]) => ({
          id: idOf(accountId, name),
          accountId: accountId ?? null,
          name,
          most,
        }));
        if (rows.length > 0) await transaction.insertInto('limitRule').values(rows).execute();
        await recordOperatorEvent(transaction, event);
      }),

    /** Sets an account's rules as a provider says, and logs a change. Rules that operators have made stay. */
    follow: (accountId: string, givenBy: string, limits: Limits, event: OperatorEvent): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const rows = await transaction.selectFrom('limitRule').selectAll().where('accountId', '=', accountId).execute();
        const own = rows.filter((row) => row.givenBy === givenBy);
        const others = new Set(rows.filter((row) => row.givenBy !== givenBy).map(({ name }) => name));
        const wanted = Object.entries(limits).filter(([name]) => !others.has(name));
        const isSame =
          own.length === wanted.length && wanted.every(([name, most]) => own.some((row) => row.name === name && Number(row.most) === most));
        if (isSame) return;
        await transaction.deleteFrom('limitRule').where('accountId', '=', accountId).where('givenBy', '=', givenBy).execute();
        for (const [name, most] of wanted)
          await transaction
            .insertInto('limitRule')
            .values({ id: idOf(accountId, name), accountId, name, most, givenBy })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        await recordOperatorEvent(transaction, event);
      }),
  };
}
export type LimitStore = ReturnType<typeof createLimitStore>;

const toLimits = (rows: readonly { name: string; most: number }[]): Limits =>
  Object.fromEntries(rows.map(({ name, most }) => [name, Number(most)]));
