import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorAnswer, familyCalls, getMetadata, linkUriOf } from '@sheaf/contract';
import { eventually, startPostgres } from '@sheaf/testbed';
import { sql } from 'kysely';
import { addSftp, draftOf, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';
import { uploading } from '#/testing/under-way.ts';
import { openDatabase } from './database.ts';

const cluster = await startPostgres({ isDurable: true });
const folder = await mkdtemp(join(tmpdir(), 'sheaf-outage-'));
after(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

const lost: Error[] = [];
const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: folder, onLostConnection: (error) => lost.push(error) });

/** Watches and terminates the connections to one database, from another one. */
async function createWatch(databaseUrl: string) {
  const name = new URL(databaseUrl).pathname.slice(1);
  const { db, close } = await open(await cluster.createDatabase());
  return {
    close,
    /** Resolves when a statement with this beginning is running. */
    underWay: (statement: string) =>
      eventually(async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = ${name} and state = 'active' and starts_with(query, ${statement})`.execute(db);
        return rows.length > 0;
      }, `${statement} is under way`),
    /** Terminates every connection to the database, idle or busy. */
    terminate: () => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(db),
  };
}

test('a read whose connection ends is repeated on another connection', async (t) => {
  const databaseUrl = await cluster.createDatabase();
  const { db, close } = await open(databaseUrl);
  t.after(close);
  const watch = await createWatch(databaseUrl);
  t.after(watch.close);
  lost.length = 0;
  const reading = sql<{ answer: number }>`select 42 as answer from pg_sleep(3)`.execute(db);
  await watch.underWay('select 42');
  await watch.terminate();
  assert.deepEqual((await reading).rows, [{ answer: 42 }]);
  await eventually(() => lost.length > 0, 'the lost connection is told of');
});

test('a transaction whose connection ends leaves nothing behind and is reported as an outage', async (t) => {
  const databaseUrl = await cluster.createDatabase();
  const { db, close } = await open(databaseUrl);
  t.after(close);
  const watch = await createWatch(databaseUrl);
  t.after(watch.close);
  const insert = sql`insert into migration ("name", "appliedAt") values ('zzz', 1)`;
  const writing = db.transaction().execute(async (transaction) => {
    await insert.execute(transaction);
    await sql`select 43 from pg_sleep(60)`.execute(transaction);
  });
  const refused = assert.rejects(writing, { name: 'DatabaseUnavailable' });
  await watch.underWay('select 43');
  await watch.terminate();
  await refused;
  assert.deepEqual((await sql`select 1 from migration where "name" = 'zzz'`.execute(db)).rows, []);
});

test('a write outside a transaction is not repeated when its connection ends', async (t) => {
  const databaseUrl = await cluster.createDatabase();
  const { db, close } = await open(databaseUrl);
  t.after(close);
  const watch = await createWatch(databaseUrl);
  t.after(watch.close);
  const writing = sql`insert into migration ("name", "appliedAt") select 'zzz', 1 from pg_sleep(60)`.execute(db);
  const refused = assert.rejects(writing, { name: 'DatabaseUnavailable' });
  await watch.underWay('insert into migration');
  await watch.terminate();
  await refused;
});

test('while Postgres restarts under load, calls answer or return 503, an upload continues, and nothing that was answered is lost', async (t) => {
  const databaseUrl = await cluster.createDatabase();
  const app = await linkApp(t, { settings: { SHEAF_DATABASE_URL: databaseUrl } });
  const { user } = app;
  const watch = await createWatch(databaseUrl);
  t.after(watch.close);
  const { userLinkId } = await addSftp(user, 'Uploads');
  const { written, goOn } = await uploading(app, user, userLinkId);

  const answered = new Set<string>(['Uploads']);
  const refusals: { retryAfter: unknown; answer: ErrorAnswer }[] = [];
  let isOver = false;
  const add = async (worker: number): Promise<void> => {
    for (let index = 0; !isOver; index++) {
      const linkName = `Link ${worker}-${index}`;
      const response = await user.send(familyCalls.sftp.add, draftOf(sftpInfo, { linkName }));
      if (response.statusCode === 200) answered.add(linkName);
      else {
        assert.equal(response.statusCode, 503, response.body);
        refusals.push({ retryAfter: response.headers['retry-after'], answer: response.json<ErrorAnswer>() });
        // Yields the processor to the starting server.
        await sleep(20);
      }
    }
  };
  const workers = [1, 2, 3, 4, 5, 6].map(add);
  const more = async (): Promise<void> => {
    const before = answered.size;
    await eventually(() => answered.size >= before + 20, 'calls are answered again', 60_000);
  };
  await more();
  for (let time = 0; time < 5; time++) {
    await watch.terminate();
    await more();
  }
  for (const way of ['fast', 'crash'] as const) {
    await cluster.restart(way);
    await more();
  }
  isOver = true;
  await Promise.all(workers);

  assert.ok(refusals.length > 0, 'nothing was refused, so nothing was tested');
  for (const { retryAfter, answer } of refusals) {
    assert.match(String(retryAfter), /^\d+$/);
    assert.equal(answer.messageCode, 'DATABASE_UNAVAILABLE');
  }
  const kept = new Set((await rowsOf(user)).map(({ name }) => name));
  assert.deepEqual(
    [...answered].filter((name) => !kept.has(name)),
    [],
  );
  goOn();
  await written;
  assert.ok(await user.ask(getMetadata, { linkUri: linkUriOf(userLinkId, '/late.txt') }));
});
