import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Postgres } from '@sheaf/testbed';
import { openDatabase } from '#/platform/db/database.ts';

/** Makes a database with all tables and no rows and gives its address. */
export async function makeTemplate(cluster: Postgres): Promise<string> {
  const databaseUrl = await cluster.createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-template-'));
  const { close } = await openDatabase({
    databaseUrl,
    dataDir,
    onLostConnection(error) {
      throw error;
    },
  });
  await close();
  await rm(dataDir, { recursive: true, force: true });
  return databaseUrl;
}
