import type { Migration } from './migration.ts';

/**
 * Directories outside, which say who belongs to organisations: what each gave, so that it takes back nothing else, and what programs bring by SCIM (RFC
 * 7643, RFC 7644).
 */
export const directories: Migration = {
  name: '109-directories',
  async up(db) {
    await db.schema.alterTable('org_member').addColumn('givenBy', 'text').execute();
    await db.schema.alterTable('org_invitation').addColumn('givenBy', 'text').execute();
    await db.schema.alterTable('limitRule').addColumn('givenBy', 'text').execute();
    await db.schema.alterTable('identity').addColumn('name', 'text').execute();
    await db.schema
      .createTable('account_picture')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('image', 'text', (column) => column.notNull())
      .addColumn('changedAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('scim_token')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('orgId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
      .addColumn('createdBy', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('lastUsedAt', 'bigint')
      .execute();
    await db.schema.createIndex('scim_token_org').on('scim_token').columns(['orgId', 'createdAt']).execute();
    await db.schema
      .createTable('scim_user')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('orgId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('userNameKey', 'text', (column) => column.notNull())
      .addColumn('externalId', 'text')
      .addColumn('emailKey', 'text', (column) => column.notNull())
      .addColumn('accountId', 'text', (column) => column.references('account.id').onDelete('set null'))
      .addColumn('active', 'integer', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('changedAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('scim_user_name', ['orgId', 'userNameKey'])
      .addUniqueConstraint('scim_user_email', ['orgId', 'emailKey'])
      .execute();
    await db.schema.createIndex('scim_user_externalId').on('scim_user').columns(['orgId', 'externalId']).execute();
    await db.schema.createIndex('scim_user_account').on('scim_user').column('accountId').execute();
    await db.schema.createIndex('scim_user_address').on('scim_user').column('emailKey').execute();
    await db.schema
      .createTable('scim_group')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('orgId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('nameKey', 'text', (column) => column.notNull())
      .addColumn('externalId', 'text')
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('changedAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('scim_group_name', ['orgId', 'nameKey'])
      .execute();
    await db.schema
      .createTable('scim_group_member')
      .addColumn('groupId', 'text', (column) => column.notNull().references('scim_group.id').onDelete('cascade'))
      .addColumn('userId', 'text', (column) => column.notNull().references('scim_user.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('scim_group_member_key', ['groupId', 'userId'])
      .execute();
    await db.schema.createIndex('scim_group_member_user').on('scim_group_member').column('userId').execute();
  },
};
