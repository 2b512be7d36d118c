import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Postgres } from '@sheaf/testbed';
import { openDatabase } from '#/platform/db/database.ts';

/** Makes a database with all tables and no rows and gives its address. */
export async function makeTemplate(cluster: Postgres): Promise<string> {
  const databaseUrl = await cluster.createDatabase();
  await inFolder(({ dataDir }) => migrated(databaseUrl, dataDir));
  return databaseUrl;
}

let sqliteFile: Promise<Buffer> | undefined;

/** The file of an SQLite database with all tables and no rows: a test that begins with it need not create some hundred tables and indexes. */
export function sqliteTemplate(): Promise<Buffer> {
  return (sqliteFile ??= inFolder(async ({ dataDir, file }) => {
    await migrated('', dataDir);
    return await readFile(file);
  }));
}

async function migrated(databaseUrl: string, dataDir: string): Promise<void> {
  const onLostConnection = (error: Error): void => {
    throw error;
  };
  const { close } = await openDatabase({ databaseUrl, dataDir, onLostConnection });
  await close();
}

async function inFolder<T>(work: (folder: { readonly dataDir: string; readonly file: string }) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-template-'));
  try {
    return await work({ dataDir, file: join(dataDir, 'sheaf.db') });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
