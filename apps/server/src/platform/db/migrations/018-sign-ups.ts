import type { Migration } from './migration.ts';

/** Sign-ups that wait for the mailed link: the link creates the account, so that signing up does not reveal whether one existed. */
export const signUps: Migration = {
  name: '018-sign-ups',
  async up(db) {
    await db.schema
      .createTable('signUp')
      .addColumn('tokenHash', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('passwordHash', 'text', (column) => column.notNull())
      .addColumn('browserHash', 'text', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
  },
};
