import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Operators among the accounts, invitations to sign up, and the log of what operators do. */
export const people: Migration = {
  name: '055-people',
  async up(db, engine) {
    await db.schema
      .createTable('operator')
      .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('signUpInvitation')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
      .addColumn('email', 'text')
      .addColumn('emailKey', 'text', (column) => column.unique())
      .addColumn('isMailed', 'integer', (column) => column.notNull())
      .addColumn('invitedBy', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('signUp').addColumn('invitationHash', 'text').execute();
    await db.schema
      .createTable('operatorEvent')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actorId', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subjectId', 'text')
      .addColumn('subject', 'text', (column) => column.notNull())
      .execute();
    // The log cannot be changed, whatever the program does.
    if (engine === 'sqlite') {
      for (const change of ['update', 'delete'])
        await sql
          .raw(
            `create trigger "operatorEvent_${change}" before ${change} on "operatorEvent" begin select raise(abort, 'the log of operators cannot be changed'); end`,
          )
          .execute(db);
      return;
    }
    await sql`
      create function sheaf_keep_operator_events() returns trigger language plpgsql as $$
      begin
        raise exception 'the log of operators cannot be changed';
      end $$`.execute(db);
    await sql`
      create trigger keep_operator_events before update or delete or truncate on "operatorEvent"
      for each statement execute function sheaf_keep_operator_events()`.execute(db);
  },
};
