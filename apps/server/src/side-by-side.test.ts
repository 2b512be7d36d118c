import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  copyObjects,
  createWeblink,
  emailLogin,
  emailSignup,
  familyCalls,
  linkUriOf,
  oneTransfer,
  openWeblink,
  sessionInfo,
  upload,
} from '@sheaf/contract';
import { type OpensshServer, eventually, run, startOpenssh } from '@sheaf/testbed';
import { testDatabase } from '#/testing/database.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { type ServerProcess, spawnServer } from '#/testing/server-process.ts';
import { type Caller, type Send, callerOf } from '#/testing/states/caller.ts';
import { password, secretKey } from '#/testing/states/story.ts';

/** Folder of an earlier version, such as a `git worktree` with its `node_modules`; this version when it is not set. */
const earlier = process.env['SHEAF_TEST_EARLIER'];
const laterVersion = join(import.meta.dirname, 'testing/states/later-version.ts');

/** Starts a process of the program on the database. */
const start = (t: TestContext, databaseUrl: string, project?: string, nodeArgs: readonly string[] = []): Promise<ServerProcess> =>
  spawnServer(t, {
    project,
    nodeArgs,
    settings: { SHEAF_DATABASE_URL: databaseUrl, SHEAF_SECRET_KEY: secretKey, SHEAF_BACKUP: 'upgrade' },
  });

/** What a load balancer does: sends each request to one of the instances, and again when one is not available. Counts the answers. */
function balancer(first: ServerProcess) {
  const targets = [first];
  const counts = new Map<string, number>();
  const longest = { milliseconds: 0 };
  let turn = 0;
  const send: Send = async (path, init) => {
    for (;;) {
      const target = targets[turn++ % targets.length] ?? first;
      const began = performance.now();
      const response = await fetch(target.url + path, init);
      longest.milliseconds = Math.max(longest.milliseconds, performance.now() - began);
      const kind = response.status === 503 && !response.headers.has('retry-after') ? '503 without Retry-After' : String(response.status);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (response.status !== 503) return response;
      await response.body?.cancel();
      await wait(50);
    }
  };
  return { targets, counts, longest, send };
}

/** What was answered to one person, and so must be there. */
interface Answered {
  readonly caller: Caller;
  readonly files: string[];
  readonly shares: string[];
  readonly transfers: string[];
}

/** Signs in, uploads, shares and copies until told to end. */
async function work(send: Send, email: string, storage: { nas: string; attic: string }, isOver: () => boolean): Promise<Answered> {
  const answered = { caller: callerOf('', send), files: [] as string[], shares: [] as string[], transfers: [] as string[] };
  for (let round = 0; !isOver(); round++) {
    const { caller } = answered;
    await caller.ask(emailLogin, { email, password });
    const name = `${email.split('@')[0]}-${round}.txt`;
    const query = new URLSearchParams({ parentLinkUri: linkUriOf(storage.nas, '/files'), name, conflict: 'fail' });
    const sent = await send(`${upload.path}?${query.toString()}`, { method: 'PUT', body: name, headers: caller.headers() });
    assert.equal(sent.status, 200, await sent.text());
    answered.files.push(name);
    const linkUri = linkUriOf(storage.nas, `/files/${name}`);
    const { sharelinkurl } = await caller.ask(createWeblink, { linkUri });
    answered.shares.push(sharelinkurl.split('/').at(-1) ?? '');
    const copy = { linkUri: [linkUri], parentLinkUri: linkUriOf(storage.attic, '/copies'), conflict: 'fail' as const };
    answered.transfers.push((await caller.ask(copyObjects, copy)).transferId);
  }
  return answered;
}

async function startStorage(t: TestContext): Promise<OpensshServer> {
  const server = await startOpenssh();
  t.after(() => server.stop());
  for (const folder of ['files', 'copies']) await mkdir(join(server.home, folder));
  await run('chown', ['-R', server.username, server.home]);
  return server;
}

test('an instance of an earlier version serves while a later one changes the tables and starts: nothing that was answered is lost', async (t) => {
  const databaseUrl = await testDatabase({ on: 'postgres', empty: true });
  const [nas, attic] = await Promise.all([startStorage(t), startStorage(t)]);
  const old = await start(t, databaseUrl, earlier);
  await eventually(old.isReady, 'the earlier version is ready');
  const { targets, counts, longest, send } = balancer(old);
  const people = await Promise.all(
    ['mara', 'eve', 'noor'].map(async (name) => {
      const [caller, email] = [callerOf('', send), `${name}@example.org`];
      await caller.ask(emailSignup, { name, email, password });
      const link = async ({ host, port, username, password: secret }: OpensshServer, linkName: string): Promise<string> =>
        (
          await caller.ask(
            familyCalls.sftp.add,
            draftOf({ ...sftpInfo, server: `${host}:${port}`, username, password: secret }, { linkName }),
          )
        ).userLinkId;
      return { email, storage: { nas: await link(nas, 'NAS'), attic: await link(attic, 'Attic') } };
    }),
  );

  /** Waits until so many more requests are answered. */
  const answers = async (more: number): Promise<void> => {
    const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
    const enough = total() + more;
    await eventually(async () => total() >= enough, 'requests are answered');
  };

  let isOver = false;
  const working = Promise.all(people.map(({ email, storage }) => work(send, email, storage, () => isOver)));
  await answers(30);
  const later = await start(t, databaseUrl, undefined, ['--import', laterVersion]);
  await eventually(later.isReady, 'the later version is ready');
  assert.match(later.output(), /a backup was made before the tables change/);
  targets.push(later);
  await answers(30);
  targets.shift();
  old.child.kill('SIGTERM');
  await answers(30);
  isOver = true;
  const answered = await working;
  assert.equal(await old.ended(), 0, old.output());

  assert.deepEqual(
    [...counts.keys()].filter((kind) => kind !== '200' && kind !== '503'),
    [],
    JSON.stringify([...counts]),
  );
  assert.ok(longest.milliseconds < 8000, `somebody waited for ${longest.milliseconds} ms`);
  for (const { caller, files, shares, transfers } of answered) {
    assert.ok(files.length > 0, 'there was load');
    await caller.ask(sessionInfo, {});
    for (const name of files) assert.equal(await readFile(join(nas.home, 'files', name), 'utf8'), name);
    for (const [index, weblinkId] of shares.entries()) assert.equal((await caller.ask(openWeblink, { weblinkId })).name, files[index]);
    for (const transferId of transfers)
      await eventually(async () => (await caller.ask(oneTransfer, { transferId })).state === 'done', 'each transfer ends');
    for (const name of files) assert.equal(await readFile(join(attic.home, 'copies', name), 'utf8'), name);
  }
  t.diagnostic(`answers: ${JSON.stringify(Object.fromEntries(counts))}; the longest took ${Math.round(longest.milliseconds)} ms`);

  const again = await start(t, databaseUrl, earlier);
  assert.equal(await again.ended(), 1);
  assert.match(again.output(), /written by a newer version of Sheaf/);
});
