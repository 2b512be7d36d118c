import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { openSqlite, sqliteDialect } from '#/platform/db/engines/sqlite.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { migrations } from './index.ts';

type Before = { account: Record<string, string | number | null> };

test('a trial stored as a word on the account becomes a subscription, and nothing else does', async (t) => {
  const db = new Kysely<Database>({ dialect: sqliteDialect(openSqlite(':memory:')) });
  t.after(() => db.destroy());
  const at = migrations.findIndex(({ name }) => name === '008-subscriptions');
  for (const migration of migrations.slice(0, at)) await migration.up(db, 'sqlite');
  const account = (id: string, upgradeState: string, trialEndsAt: number | null) => ({
    id,
    name: id,
    email: `${id}@example.org`,
    emailKey: `${id}@example.org`,
    upgradeState,
    trialEndsAt,
    createdAt: 1,
  });
  const rows = [account('mara', 'trial', 1_900_000_000), account('tom', 'upgrade', null), account('noor', '', null)];
  await (db as unknown as Kysely<Before>).insertInto('account').values(rows).execute();
  for (const migration of migrations.slice(at)) await migration.up(db, 'sqlite');
  const subscriptions = await db.selectFrom('subscription').select(['payerId', 'product', 'state', 'startedAt', 'endsAt']).execute();
  const trial = { payerId: 'mara', product: 'premium', state: 'trial', startedAt: 1_900_000_000 - 604_800, endsAt: 1_900_000_000 };
  assert.deepEqual(
    subscriptions.map((row) => ({ ...row })),
    [trial],
  );
});
