import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Transfer,
  emailSignup,
  familyCalls,
  linkUriOf,
  oneTransfer,
  planTransfer,
  startTransfer,
  transferPlan,
  undoTransfer,
} from '@sheaf/contract';
import { createRandom, eventually, run, startOpenssh, startProxy, tempDir } from '@sheaf/testbed';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';

const seed = 2311;
/** On Postgres another process waits for the lease of the killed one, up to half a minute. */
const kills = Number(process.env['SHEAF_TEST_KILLS'] ?? (testEngine === 'sqlite' ? 10 : 1));
/** Enough that all kills come while the mirror runs. */
const files = Math.max(720, kills * 72);

/** Every file below the folder with its content, hidden ones as well; not what a killed upload has left, which is cleared up later. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.name.startsWith('.sheaf-partial-'))
      found[join(entry.parentPath, entry.name).slice(folder.length + 1)] = await readFile(join(entry.parentPath, entry.name), 'utf8');
  return found;
}

const dated = /^\.sheaf-versions\/[^/]+\//;

test('a mirror survives kills of the server: no file is lost or half visible, and its undo restores everything', async (t) => {
  const random = createRandom(seed);
  const ssh = await startOpenssh();
  t.after(() => ssh.stop());
  const [from, to] = [join(ssh.home, 'seed'), join(ssh.home, 'to')];
  await Promise.all([mkdir(from), mkdir(join(to, 'seed'), { recursive: true })]);
  /** Contents by name: of the source, and of the files that the mirror replaces or deletes. */
  const [wanted, old]: [Map<string, string>, Map<string, string>] = [new Map(), new Map()];
  for (let index = 0; index < files; index++) {
    const name = `seed/file ${index}`;
    // A third is made, a third is replaced, a third is deleted.
    if (index % 3 !== 2) wanted.set(name, `new ${index} ${'n'.repeat(200)}`);
    if (index % 3 !== 0) old.set(name, `old ${index} ${'o'.repeat(210)}`);
  }
  // Otherwise the mirror would delete half of the files, and ask.
  for (let index = 0; index < files; index++) wanted.set(`seed/same ${index}`, 'same');
  for (let index = 0; index < files; index++) old.set(`seed/same ${index}`, 'same');
  for (const [name, content] of wanted) await writeFile(join(ssh.home, name), content);
  for (const [name, content] of old) await writeFile(join(to, name), content);
  await run('touch', [
    '-d',
    '2026-01-01',
    ...[...wanted.keys()].filter((name) => name.includes('same')).map((name) => join(ssh.home, name)),
  ]);
  await run('touch', ['-d', '2026-01-01', ...[...old.keys()].filter((name) => name.includes('same')).map((name) => join(to, name))]);
  await run('chown', ['-R', ssh.username, from, to]);
  await chmod(ssh.home, 0o755);
  const before = await contents(to);
  const proxy = await startProxy({ target: ssh });
  t.after(() => proxy.stop());
  const folder = await tempDir('mirror-killed');
  t.after(() => folder.remove());
  const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };

  let server = await startServer(t, settings);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const login = { ...sftpInfo, username: ssh.username, password: ssh.password };
  const one = await server.ask(familyCalls.sftp.add, draftOf({ ...login, server: `${ssh.host}:${ssh.port}` }, { linkName: 'From' }));
  const other = await server.ask(familyCalls.sftp.add, draftOf({ ...login, server: `${proxy.host}:${proxy.port}` }, { linkName: 'To' }));
  const { transferId } = await server.ask(planTransfer, {
    kind: 'mirror',
    linkUri: linkUriOf(one.userLinkId, '/seed') as unknown as string[],
    parentLinkUri: linkUriOf(other.userLinkId, '/to'),
    conflict: 'fail',
  });
  const transfer = async (): Promise<Transfer> => {
    const answer = await fetch(`${server.url}${oneTransfer.path}?transferId=${transferId}`, { headers: server.headers() });
    return ((await answer.json()) as { data: Transfer }).data;
  };
  const failed = async (): Promise<string> => {
    const answer = await fetch(`${server.url}${transferPlan.path}?transferId=${transferId}&state=failed`, { headers: server.headers() });
    return JSON.stringify([await transfer(), await answer.json()]);
  };
  await eventually(async () => (await transfer()).state === 'planned', 'the plan is made', 120_000);
  assert.equal((await transfer()).error, undefined);
  await server.ask(startTransfer, { transferId });

  /** Every visible file is whole, and every old one is at its name or kept. */
  const assertNothingLost = async (when: string): Promise<void> => {
    const there = await contents(to);
    const kept = new Map<string, string>();
    for (const [path, content] of Object.entries(there)) {
      const name = path.replace(dated, '');
      if (name !== path) kept.set(name, content);
      else assert.ok([wanted.get(name), old.get(name)].includes(content), `${name} ${when}`);
    }
    for (const [name, content] of old)
      if (wanted.get(name) !== content) assert.ok([there[name], kept.get(name)].includes(content), `the old ${name} ${when}`);
  };
  const hasEnded = async (): Promise<boolean> => (await transfer()).endedAt !== undefined;
  let killed = 0;
  for (; killed < kills; killed++) {
    // A job that dies ten times without any progress is given up.
    const { itemsDone } = await transfer();
    const goesOn = async (): Promise<boolean> => (await transfer()).itemsDone > itemsDone;
    await eventually(async () => (await goesOn()) || (await hasEnded()), 'the mirror goes on', 120_000);
    await sleep(random() * 150);
    if (await hasEnded()) break;
    await server.kill();
    await assertNothingLost(`after kill ${killed}`);
    server = await startServer(t, settings, server.cookies);
  }
  assert.ok(killed > 0, 'the mirror was over before the first kill');
  await eventually(hasEnded, 'the mirror has ended', 240_000);
  const end = await transfer();
  assert.deepEqual([end.state, end.itemsFailed], ['done', 0], await failed());
  await assertNothingLost('at the end');
  const visible = Object.entries(await contents(to)).filter(([path]) => !dated.test(path));
  assert.deepEqual(Object.fromEntries(visible), Object.fromEntries(wanted));
  t.diagnostic(`${killed} kills, seed ${seed}`);

  await server.ask(undoTransfer, { transferId });
  await eventually(async () => (await transfer()).undoLeft !== undefined, 'the mirror is undone', 120_000);
  assert.deepEqual([(await transfer()).undoLeft, (await transfer()).error], [0, undefined]);
  assert.deepEqual(await contents(to), before);
});
