import type { Migration } from './migration.ts';

/** Which sign-in provider says that an account operates the installation; null where a person has made it so. */
export const operatorsOfProviders: Migration = {
  name: '107-operators-of-providers',
  async up(db) {
    await db.schema.alterTable('operator').addColumn('givenBy', 'text').execute();
  },
};
