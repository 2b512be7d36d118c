import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Programs that act through the Model Context Protocol, and what they plan. On Postgres their end is notified to every instance, as in `014-changes`. */
export const agents: Migration = {
  name: '104-agents',
  async up(db, engine) {
    await db.schema
      .createTable('agent_client')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('redirectUris', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('agent')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('clientId', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('folders', 'text', (column) => column.notNull())
      .addColumn('rights', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('redirectUri', 'text', (column) => column.notNull())
      .addColumn('codeHash', 'text', (column) => column.notNull().unique())
      .addColumn('codeChallenge', 'text', (column) => column.notNull())
      .addColumn('codeEndsAt', 'bigint', (column) => column.notNull())
      .addColumn('accessHash', 'text', (column) => column.unique())
      .addColumn('accessEndsAt', 'bigint')
      .addColumn('refreshHash', 'text', (column) => column.unique())
      .addColumn('familyHash', 'text', (column) => column.unique())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint')
      .addColumn('lastUsedAt', 'bigint')
      .execute();
    await db.schema.createIndex('agent_account').on('agent').columns(['accountId', 'createdAt']).execute();
    await db.schema.createIndex('agent_clientId').on('agent').column('clientId').execute();
    await db.schema
      .createTable('agent_plan')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('agentId', 'text', (column) => column.notNull())
      .addColumn('agentName', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('items', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('expirationSeconds', 'bigint')
      .addColumn('transferId', 'text')
      .addColumn('target', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('problem', 'text')
      .addColumn('shareUrl', 'text')
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('decidedAt', 'bigint')
      .execute();
    await db.schema.createIndex('agent_plan_account').on('agent_plan').columns(['accountId', 'createdAt']).execute();
    if (engine === 'postgres')
      await sql`
        create trigger tell_removal after delete on agent
        for each row execute function sheaf_tell_change('accountId', 'id')`.execute(db);
  },
};
