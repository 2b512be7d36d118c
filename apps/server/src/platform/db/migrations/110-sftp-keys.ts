import type { Migration } from './migration.ts';

/** Public keys that sign in to SFTP instead of an app password. */
export const sftpKeys: Migration = {
  name: '110-sftp-keys',
  async up(db) {
    await db.schema.alterTable('app_password').addColumn('publicKey', 'text').execute();
  },
};
