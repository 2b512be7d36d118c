import { type Kysely, sql } from 'kysely';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { Migration } from './migration.ts';

/** Organisations, Spaces, and the audit log. */
export const sharingPeople: Migration = {
  name: '007-sharing-people',
  async up(db) {
    await db.schema
      .alterTable('account')
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('person'))
      .execute();

    await db.schema
      .createTable('org_member')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('orgId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('joinedAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('org_member_once', ['orgId', 'accountId'])
      .execute();
    await db.schema.createIndex('org_member_account').on('org_member').column('accountId').execute();
    await createInvitations(db, 'org_invitation', 'orgId', 'account');

    await db.schema
      .createTable('space')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('ownerId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('nameKey', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('storageLinkId', 'text', (column) => column.notNull())
      .addColumn('storagePath', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('space_name', ['ownerId', 'nameKey'])
      .execute();
    await db.schema.createIndex('space_storage').on('space').column('storageLinkId').execute();
    await db.schema
      .createTable('space_member')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id').onDelete('cascade'))
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('linkId', 'text', (column) => column.notNull().unique().references('link.id').onDelete('cascade'))
      .addColumn('joinedAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('space_member_once', ['spaceId', 'accountId'])
      .execute();
    await db.schema.createIndex('space_member_account').on('space_member').column('accountId').execute();
    await createInvitations(db, 'space_invitation', 'spaceId', 'space');

    await db.schema
      .createTable('audit_event')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('spaceId', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actorId', 'text')
      .addColumn('actorName', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subjectId', 'text', (column) => column.notNull())
      .addColumn('subjectName', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull().defaultTo(sql`'{}'`))
      .execute();
    await db.schema.createIndex('audit_event_account').on('audit_event').columns(['accountId', 'id']).execute();
    await db.schema.createIndex('audit_event_space').on('audit_event').columns(['spaceId', 'id']).execute();
  },
};

/** Creates a table of invitations; each address has one at a time. */
async function createInvitations(
  db: Kysely<Database>,
  table: 'org_invitation' | 'space_invitation',
  column: 'orgId' | 'spaceId',
  to: 'account' | 'space',
): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('id', 'text', (id) => id.primaryKey())
    .addColumn(column, 'text', (reference) => reference.notNull().references(`${to}.id`).onDelete('cascade'))
    .addColumn('email', 'text', (email) => email.notNull())
    .addColumn('emailKey', 'text', (key) => key.notNull())
    .addColumn('role', 'text', (role) => role.notNull())
    .addColumn('tokenHash', 'text', (hash) => hash.notNull().unique())
    .addColumn('invitedBy', 'text', (inviter) => inviter.notNull())
    .addColumn('createdAt', 'bigint', (at) => at.notNull())
    .addColumn('expiresAt', 'bigint', (at) => at.notNull())
    .addUniqueConstraint(`${table}_once`, [column, 'emailKey'])
    .execute();
  await db.schema.createIndex(`${table}_email`).on(table).column('emailKey').execute();
}
