import { type PersonState, operatorActions } from '@sheaf/contract';
import { sql } from 'kysely';
import { type OperatorEvent, recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

type AccountRow = Database['account'];
/** What is known of an account without looking at its content. */
export interface PersonRow extends Pick<
  AccountRow,
  'id' | 'name' | 'email' | 'emailKey' | 'verifiedAt' | 'disabledAt' | 'createdAt' | 'closesAt'
> {
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  readonly lastSeenAt: number | undefined;
  readonly links: number;
  readonly storedNames: number;
}

interface Page {
  /** In lower case. */
  readonly query: string;
  /** The address, in the form of a key, after which the page begins. */
  readonly after: string;
  readonly limit: number;
}

export const stateOf = ({ verifiedAt, disabledAt, closesAt }: Pick<PersonRow, 'verifiedAt' | 'disabledAt' | 'closesAt'>): PersonState =>
  disabledAt !== null ? 'disabled' : closesAt !== null ? 'closing' : verifiedAt === null ? 'unverified' : 'active';

/** Escapes the wildcards of `like` with a backslash. */
const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Store of accounts as operators see and change them. Each change is logged in its transaction. */
export function createPeopleStore(db: Db) {
  /** Sums by account, for the accounts of one page: the counts of all accounts would read every row. */
  async function factsOf(ids: readonly string[]) {
    const [sessions, tokens, links, names, totps, passkeys, operators] = await Promise.all([
      db
        .selectFrom('session')
        .select(({ fn }) => ['accountId', fn.max('lastSeenAt').as('at')])
        .where('accountId', 'in', ids)
        .groupBy('accountId')
        .execute(),
      db
        .selectFrom('auth_token')
        .select(({ fn }) => ['accountId', fn.max('lastSeenAt').as('at')])
        .where('accountId', 'in', ids)
        .groupBy('accountId')
        .execute(),
      db
        .selectFrom('link')
        .select(({ fn }) => ['accountId', fn.countAll().as('count')])
        .where('accountId', 'in', ids)
        .groupBy('accountId')
        .execute(),
      db
        .selectFrom('link')
        .innerJoin('listing_folder', 'listing_folder.linkId', 'link.id')
        .select(({ fn }) => ['link.accountId', fn.sum('folderCount').as('folders'), fn.sum('fileCount').as('files')])
        .where('link.accountId', 'in', ids)
        .groupBy('link.accountId')
        .execute(),
      db.selectFrom('totp').select('accountId').where('accountId', 'in', ids).where('confirmedAt', 'is not', null).execute(),
      db.selectFrom('passkey').select('accountId').distinct().where('accountId', 'in', ids).execute(),
      db.selectFrom('operator').select('accountId').where('accountId', 'in', ids).execute(),
    ]);
    const seen = Map.groupBy([...sessions, ...tokens], ({ accountId }) => accountId);
    const counts = new Map(links.map(({ accountId, count }) => [accountId, Number(count)]));
    const stored = new Map(names.map(({ accountId, folders, files }) => [accountId, Number(folders) + Number(files)]));
    const factors = new Set([...totps, ...passkeys].map(({ accountId }) => accountId));
    const ops = new Set(operators.map(({ accountId }) => accountId));
    return (id: string) => {
      const times = (seen.get(id) ?? []).map(({ at }) => Number(at));
      return {
        isOperator: ops.has(id),
        hasSecondFactor: factors.has(id),
        lastSeenAt: times.length === 0 ? undefined : Math.max(...times),
        links: counts.get(id) ?? 0,
        storedNames: stored.get(id) ?? 0,
      };
    };
  }

  /** Runs a change of the account and logs it; false, and no entry, when it changed nothing. */
  const logged = (event: OperatorEvent, change: (transaction: Db) => Promise<unknown>): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      if ((await change(transaction)) === undefined) return false;
      await recordOperatorEvent(transaction, event);
      return true;
    });
  const updating = (transaction: Db, id: string) =>
    transaction.updateTable('account').where('id', '=', id).where('kind', '=', 'person').returning('id');

  return {
    /** Accounts in the order of their addresses. */
    async page({ query, after, limit }: Page): Promise<PersonRow[]> {
      // A search reads the table from its beginning to its end and sorts what matches. In the order of the index on addresses it would look up each
      // account by itself, which takes ten times as long where few match.
      const key = query === '' ? sql<string>`"emailKey"` : sql<string>`("emailKey" || '')`;
      const all = db
        .selectFrom('account')
        .select(['id', 'name', 'email', 'emailKey', 'verifiedAt', 'disabledAt', 'createdAt', 'closesAt'])
        .where('kind', '=', 'person')
        .where(key, '>', after)
        .orderBy(key)
        .limit(limit);
      const like = pattern(query);
      const rows = await (
        query === '' ? all : all.where(sql<boolean>`("emailKey" like ${like} escape '\\' or lower(name) like ${like} escape '\\')`)
      ).execute();
      if (rows.length === 0) return [];
      const facts = await factsOf(rows.map(({ id }) => id));
      return rows.map((row) => ({ ...row, ...facts(row.id) }));
    },

    find: (id: string): Promise<Pick<AccountRow, 'id' | 'name' | 'email' | 'emailKey' | 'closesAt'> | undefined> =>
      db
        .selectFrom('account')
        .select(['id', 'name', 'email', 'emailKey', 'closesAt'])
        .where('id', '=', id)
        .where('kind', '=', 'person')
        .executeTakeFirst(),

    /** Disables the account and ends its sessions. */
    disable: (id: string, event: OperatorEvent): Promise<boolean> =>
      logged(event, async (transaction) => {
        const changed = await updating(transaction, id).set({ disabledAt: event.at }).where('disabledAt', 'is', null).executeTakeFirst();
        if (!changed) return undefined;
        await transaction.deleteFrom('session').where('accountId', '=', id).execute();
        // Links that would set a password, or another address.
        await transaction.deleteFrom('mail_token').where('accountId', '=', id).execute();
        return changed;
      }),

    enable: (id: string, event: OperatorEvent): Promise<boolean> =>
      logged(event, (transaction) =>
        updating(transaction, id).set({ disabledAt: null }).where('disabledAt', 'is not', null).executeTakeFirst(),
      ),

    makeOperator: (id: string, event: OperatorEvent): Promise<boolean> =>
      logged(event, (transaction) =>
        transaction
          .insertInto('operator')
          .values({ accountId: id, since: event.at, givenBy: null })
          // An operator's appointment outlasts the claim of the identity provider.
          .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ givenBy: null }).where('operator.givenBy', 'is not', null))
          .returning('accountId')
          .executeTakeFirst(),
      ),

    removeOperator: (id: string, event: OperatorEvent): Promise<boolean> =>
      logged(event, (transaction) =>
        transaction.deleteFrom('operator').where('accountId', '=', id).returning('accountId').executeTakeFirst(),
      ),

    /** Logs what other stores have changed. */
    record: (event: OperatorEvent): Promise<void> => recordOperatorEvent(db, event),

    /** Entries of the log, the latest first. */
    async log(before: string | undefined, limit: number) {
      const all = db.selectFrom('operatorEvent').selectAll().orderBy('id', 'desc').limit(limit);
      const rows = await (before === undefined ? all : all.where('id', '<', before)).execute();
      return rows.flatMap((row) => {
        const action = operatorActions.find((one) => one === row.action);
        return action === undefined ? [] : [{ ...row, action }];
      });
    },
  };
}
export type PeopleStore = ReturnType<typeof createPeopleStore>;
