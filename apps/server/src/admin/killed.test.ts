import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { readConfig } from '#/platform/config/config.ts';
import { openDatabase } from '#/platform/db/database.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { commands } from './commands.ts';
import { sentenceOf } from './sentences.ts';

type Settings = Readonly<Record<string, string>>;

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-killed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Kills the command as soon as `isUnderWay`; returns whether it was killed before its end. */
async function killedWhile(settings: Settings, words: readonly string[], isUnderWay: (pid: number) => Promise<boolean>): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../admin.ts'), ...words], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  while (child.exitCode === null && !(await isUnderWay(child.pid ?? 0))) await sleep(2);
  child.kill('SIGKILL');
  await exit;
  return child.signalCode === 'SIGKILL';
}

/** How many bytes of the file a process has read through the handle that it holds; 0 without one. */
async function readSoFar(pid: number, file: string): Promise<number> {
  // The process, or the handle, may have gone between two of these calls.
  const gone = () => '';
  for (const handle of await readdir(`/proc/${pid}/fd`).catch(() => []))
    if ((await readlink(`/proc/${pid}/fd/${handle}`).catch(gone)) === file)
      return Number(/^pos:\s*(\d+)/.exec(await readFile(`/proc/${pid}/fdinfo/${handle}`, 'utf8').catch(gone))?.[1] ?? 0);
  return 0;
}

const run = async (settings: Settings, command: string, argument: string): Promise<string> => {
  const lines: string[] = [];
  assert.equal(await commands[command]?.(readConfig(settings), argument, (line) => void lines.push(line)), true);
  return lines.join('\n');
};

const rows = 60_000;
/** Rows enough that each command takes long enough to be killed in the middle. */
const fill = (db: Db) =>
  sql`insert into "operatorEvent" (id, at, "actorId", actor, action, subject)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})
    select 'event' || i, i, 'boss', 'Boss ' || (i * 7919 % 10007), 'people.invite', 'person' || (i * 30011 % 1000003) || '@example.org' from n`.execute(
    db,
  );
async function counts(settings: Settings): Promise<readonly number[]> {
  const { db, close } = await openDatabase({ ...readConfig(settings), onLostConnection: () => undefined });
  const count = async (table: 'operatorEvent' | 'account' | 'link' | 'link_secret' | 'session' | 'listing_entry') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const all = [
    await count('operatorEvent'),
    await count('account'),
    await count('link'),
    await count('link_secret'),
    await count('session'),
    await count('listing_entry'),
  ];
  await close();
  return all;
}

const folderRow = { linkId: 'link', listedAt: 1, fingerprint: null, version: 'v', folderCount: 0, fileCount: 3, foldedPath: null };

/** One row of the tables that matter, and a listing. */
async function seed(db: Db): Promise<void> {
  const [id, accountId, linkId] = ['link', 'mara', 'link'];
  const account = { id: accountId, kind: 'person', name: 'Mara', email: 'mara@example.org', emailKey: 'mara@example.org', createdAt: 1 };
  await db
    .insertInto('account')
    .values({ ...account, passwordHash: null, verifiedAt: null, disabledAt: null, closesAt: null, closingLease: null })
    .execute();
  const session = { id: 'session', tokenHash: 'hash', accountId, rTag: 'tag', userAgent: '', address: '' };
  await db
    .insertInto('session')
    .values({ ...session, createdAt: 1, lastSeenAt: 1, expiresAt: 4_000_000_000, provenAt: 1 })
    .execute();
  const link = {
    id,
    accountId,
    provider: 'SFTP',
    sourceType: 'sftp',
    name: 'Attic',
    nameKey: 'attic',
    account: '',
    identity: '',
    info: '{}',
  };
  await db
    .insertInto('link')
    .values({ ...link, state: 'ok', checkedAt: null, attention: null, createdAt: 1, revision: 1 })
    .execute();
  await db.insertInto('link_secret').values({ linkId, field: 'password', sealed: 'v1.sealed' }).execute();
  const { id: folderId } = await db
    .insertInto('listing_folder')
    .values({ ...folderRow, path: '/', pathKey: 'link:/' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const entry = { folderId, isFile: 1, folded: null, extension: 'txt', size: 1, modified: 1, etag: null, mimeType: null };
  for (const name of ['Ärger \u2028.txt', 'report.txt', 'zebra.txt'])
    await db
      .insertInto('listing_entry')
      .values({ ...entry, sortKey: name, name })
      .execute();
}

async function stage(t: TestContext) {
  const { user, services, config } = await linkApp(t);
  await addSftp(user, 'Attic');
  await fill(services.db);
  return { services, settings: { SHEAF_DATA_DIR: config.dataDir, SHEAF_DATABASE_URL: config.databaseUrl } };
}

test('a backup or a restore that is killed leaves nothing that looks whole, and works when it is repeated', async (t) => {
  const { settings } = await stage(t);
  const folder = await emptyFolder(t);
  const file = join(folder, 'sheaf.backup');
  const isWriting = async () => (await readdir(folder)).some((name) => name.endsWith('.part'));
  assert.ok(await killedWhile(settings, ['backup', file], isWriting), 'the backup was killed');
  assert.ok(!(await readdir(folder)).includes('sheaf.backup'));
  await run(settings, 'backup', file);
  const nowhere = await emptyFolder(t);
  const isVerifying = async (pid: number) => (await readSoFar(pid, file)) > (await stat(file)).size / 3;
  assert.ok(
    await killedWhile({ ...settings, TMPDIR: nowhere, SQLITE_TMPDIR: nowhere }, ['verify', file], isVerifying),
    'the check was killed',
  );
  assert.deepEqual(await readdir(nowhere), [], 'what was restored for the check is gone with its process');
  assert.match(await run(settings, 'verify', file), /1 accounts, 1 links, 1 secrets/);

  const place = { SHEAF_DATA_DIR: await emptyFolder(t), SHEAF_DATABASE_URL: await testDatabase({ empty: true }) };
  await writeFile(join(place.SHEAF_DATA_DIR, 'secret.key'), await readFile(join(settings.SHEAF_DATA_DIR, 'secret.key')));
  const isRestoring = async () =>
    place.SHEAF_DATABASE_URL === ''
      ? (await readdir(place.SHEAF_DATA_DIR)).some((name) => name.startsWith('sheaf.db.new-') && name.endsWith('-wal'))
      : isInserting(place.SHEAF_DATABASE_URL);
  assert.ok(await killedWhile(place, ['restore', file], isRestoring), 'the restore was killed');
  await run(place, 'restore', file);
  assert.deepEqual(await counts(place), [rows, 1, 1, 1, 0, 0]);
  assert.deepEqual(
    (await readdir(place.SHEAF_DATA_DIR)).filter((name) => name.startsWith('sheaf.db.new-')),
    [],
  );
});

/** Whether a statement is inserting rows into that Postgres database. */
async function isInserting(databaseUrl: string): Promise<boolean> {
  const { default: postgres } = await import('pg');
  const client = new postgres.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and query like 'insert into "operatorEvent"%'`,
    );
    return rowCount !== null && rowCount > 0;
  } finally {
    await client.end();
  }
}

test('the database moves from SQLite to Postgres and back with everything in it, also after a kill, and not while it is used', async (t) => {
  const dataDir = await emptyFolder(t);
  const sqlite = { SHEAF_DATA_DIR: dataDir, SHEAF_DATABASE_URL: '' };
  const { db, close } = await openDatabase({ ...readConfig(sqlite), onLostConnection: () => undefined });
  await seed(db);
  await fill(db);
  const postgres = { ...sqlite, SHEAF_DATABASE_URL: await testDatabase({ on: 'postgres', empty: true }) };
  await assert.rejects(run(postgres, 'move-database', 'to-postgres'), (error: unknown) => /stop Sheaf first/.test(sentenceOf(error)));
  await close();
  const before = await counts(sqlite);
  assert.deepEqual(before, [rows, 1, 1, 1, 1, 3]);
  assert.ok(
    await killedWhile(postgres, ['move-database', 'to-postgres'], () => isInserting(postgres.SHEAF_DATABASE_URL)),
    'the move was killed',
  );
  assert.deepEqual(await counts(sqlite), before, 'the source is as it was');
  await run(postgres, 'move-database', 'to-postgres');
  assert.deepEqual(await counts(postgres), before);
  assert.ok(!(await stat(join(dataDir, 'sheaf.db')).catch(() => undefined)), 'the former database is set aside');
  await assert.rejects(run(postgres, 'move-database', 'to-postgres'), (error: unknown) => /no embedded database/.test(sentenceOf(error)));
  const moved = await openDatabase({ ...readConfig(postgres), onLostConnection: () => undefined });
  await moved.db
    .insertInto('listing_folder')
    .values({ ...folderRow, path: '/later', pathKey: 'link:/later' })
    .execute();
  await assert.rejects(run(postgres, 'move-database', 'to-sqlite'), (error: unknown) => /stop Sheaf first/.test(sentenceOf(error)));
  await moved.close();
  const isFilling = async () => (await readdir(dataDir)).some((name) => name.startsWith('sheaf.db.new-') && name.endsWith('-wal'));
  assert.ok(await killedWhile(postgres, ['move-database', 'to-sqlite'], isFilling), 'the move back was killed');
  assert.ok(!(await stat(join(dataDir, 'sheaf.db')).catch(() => undefined)), 'nothing looks like a database');
  assert.deepEqual(await counts(postgres), before, 'the source is as it was');
  await run(postgres, 'move-database', 'to-sqlite');
  assert.deepEqual(await counts(sqlite), before);
  const back = await openDatabase({ ...readConfig(sqlite), onLostConnection: () => undefined });
  t.after(back.close);
  const found = await sql`select rowid from listing_search where listing_search match 'rep'`.execute(back.db);
  assert.equal(found.rows.length, 1, 'the index of the search knows the names');
});
