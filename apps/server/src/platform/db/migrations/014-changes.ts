import { type RawBuilder, sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Tables whose rows grant rights, the column with the right's account, and the columns whose change matters. Deletions always do. */
const granting: readonly { table: string; account: string; id: string; columns: readonly string[] }[] = [
  { table: 'account', account: 'id', id: 'id', columns: ['disabledAt', 'closesAt'] },
  { table: 'session', account: 'accountId', id: 'id', columns: [] },
  { table: 'auth_code', account: 'accountId', id: 'id', columns: [] },
  { table: 'auth_token', account: 'accountId', id: 'id', columns: [] },
  { table: 'org_member', account: 'accountId', id: 'orgId', columns: ['role'] },
  { table: 'space', account: 'ownerId', id: 'id', columns: ['storageLinkId', 'storagePath'] },
  { table: 'space_member', account: 'accountId', id: 'linkId', columns: ['role', 'linkId'] },
  { table: 'link', account: 'accountId', id: 'id', columns: ['revision'] },
  { table: 'weblink', account: 'accountId', id: 'id', columns: ['passwordHash', 'expiresAt'] },
  { table: 'subscription', account: 'payerId', id: 'id', columns: ['state'] },
];

/**
 * On Postgres, notifies every instance of a changed right: triggers run within the changing transaction, so that no code path can forget it. SQLite
 * serves one process, which notifies itself. https://www.postgresql.org/docs/current/sql-notify.html
 */
export const changes: Migration = {
  name: '014-changes',
  async up(db, engine) {
    if (engine !== 'postgres') return;
    const run = (statement: RawBuilder<unknown>) => statement.execute(db);
    await run(sql`
      create function sheaf_tell_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('sheaf_change', json_build_object(
          'table', tg_table_name, 'account', to_jsonb(old) ->> tg_argv[0], 'id', to_jsonb(old) ->> tg_argv[1])::text);
        return null;
      end $$`);
    for (const { table, account, id, columns } of granting) {
      const call = sql`for each row execute function sheaf_tell_change(${sql.lit(account)}, ${sql.lit(id)})`;
      await run(sql`create trigger tell_removal after delete on ${sql.table(table)} ${call}`);
      if (columns.length === 0) continue;
      const differs = sql.join(
        columns.map((column) => sql`old.${sql.ref(column)} is distinct from new.${sql.ref(column)}`),
        sql` or `,
      );
      await run(sql`
        create trigger tell_change after update on ${sql.table(table)}
        for each row when (${differs}) execute function sheaf_tell_change(${sql.lit(account)}, ${sql.lit(id)})`);
    }
  },
};
