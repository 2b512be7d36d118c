import type { Migration } from './migration.ts';

/** Which sign-in provider opened a session, and the provider's own id of it, by which the provider ends it. */
export const providerSessions: Migration = {
  name: '106-provider-sessions',
  async up(db) {
    await db.schema.alterTable('session').addColumn('provider', 'text').execute();
    await db.schema.alterTable('session').addColumn('providerSid', 'text').execute();
    await db.schema.createIndex('session_provider_sid').on('session').column('providerSid').execute();
  },
};
