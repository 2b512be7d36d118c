import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Passwords of programs that use WebDAV, S3 or SFTP. On Postgres their end is notified to every instance, as in `014-changes`. */
export const appPasswords: Migration = {
  name: '050-app-passwords',
  async up(db, engine) {
    await db.schema
      .createTable('app_password')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull().unique())
      .addColumn('passwordHash', 'text', (column) => column.notNull())
      .addColumn('accessKeyId', 'text', (column) => column.notNull().unique())
      .addColumn('sealedKey', 'text', (column) => column.notNull())
      .addColumn('folders', 'text', (column) => column.notNull())
      .addColumn('rights', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint')
      .addColumn('lastUsedAt', 'bigint')
      .addColumn('lastUsedBy', 'text')
      .execute();
    await db.schema.createIndex('app_password_account').on('app_password').columns(['accountId', 'createdAt']).execute();
    if (engine === 'postgres')
      await sql`
        create trigger tell_removal after delete on app_password
        for each row execute function sheaf_tell_change('accountId', 'id')`.execute(db);
  },
};
