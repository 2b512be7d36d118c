import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Batch } from '#/platform/db/copies/snapshot.ts';
import { fillDatabase } from '#/platform/db/copies/write.ts';
import { testDatabase } from '#/testing/database.ts';
import type { State } from './state-file.ts';
import { secretKey } from './story.ts';

/** Makes a database as the state's version left it; returns the settings of a program that opens it. */
export async function openState(t: TestContext, { migrations, tables }: State) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-state-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const databaseUrl = await testDatabase({ empty: true });
  async function* batches(): AsyncGenerator<Batch> {
    yield* tables;
  }
  await fillDatabase({ dataDir, databaseUrl }, { migrations, batches: batches(), asItWas: true });
  return { SHEAF_DATA_DIR: dataDir, SHEAF_DATABASE_URL: databaseUrl, SHEAF_SECRET_KEY: secretKey };
}
