import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Transfer, copyObjects, emailSignup, familyCalls, linkUriOf, oneTransfer, undoTransfer } from '@sheaf/contract';
import { createRandom, eventually, run, startOpenssh, startProxy, tempDir } from '@sheaf/testbed';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';

const seed = 4711;
/** On Postgres another process waits for the lease of the killed one, up to half a minute. */
const kills = testEngine === 'sqlite' ? 3 : 1;
const files = 240;

/** Every file below the folder with its content, hidden ones as well. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      found[join(entry.parentPath, entry.name).slice(folder.length + 1)] = await readFile(join(entry.parentPath, entry.name), 'utf8');
  return found;
}

test('an undo survives kills of the server: everything is as it was before the copy', async (t) => {
  const random = createRandom(seed);
  const ssh = await startOpenssh();
  t.after(() => ssh.stop());
  const [from, to] = [join(ssh.home, 'seed'), join(ssh.home, 'to')];
  await Promise.all([mkdir(join(from, 'deep'), { recursive: true }), mkdir(join(to, 'seed', 'deep'), { recursive: true })]);
  for (let index = 0; index < files; index++) {
    const name = index % 2 === 0 ? `file ${index}` : join('deep', `file ${index}`);
    await writeFile(join(from, name), `new ${index}`);
    // Two thirds are replaced, the others are made.
    if (index % 3 !== 0) await writeFile(join(to, 'seed', name), `old ${index}, with another size`);
  }
  const before = await contents(to);
  await run('chown', ['-R', ssh.username, from, to]);
  await chmod(ssh.home, 0o755);
  const proxy = await startProxy({ target: ssh });
  t.after(() => proxy.stop());
  const folder = await tempDir('undo-killed');
  t.after(() => folder.remove());
  const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };

  let server = await startServer(t, settings);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const login = { ...sftpInfo, username: ssh.username, password: ssh.password };
  const one = await server.ask(familyCalls.sftp.add, draftOf({ ...login, server: `${ssh.host}:${ssh.port}` }, { linkName: 'From' }));
  const other = await server.ask(familyCalls.sftp.add, draftOf({ ...login, server: `${proxy.host}:${proxy.port}` }, { linkName: 'To' }));
  const { transferId } = await server.ask(copyObjects, {
    linkUri: linkUriOf(one.userLinkId, '/seed') as unknown as string[],
    parentLinkUri: linkUriOf(other.userLinkId, '/to'),
    conflict: 'replace',
  });
  const transfer = async (): Promise<Transfer> => {
    const answer = await fetch(`${server.url}${oneTransfer.path}?transferId=${transferId}`, { headers: server.headers() });
    return ((await answer.json()) as { data: Transfer }).data;
  };
  await eventually(async () => (await transfer()).endedAt !== undefined, 'the copy has ended', 120_000);
  const copied = await transfer();
  assert.deepEqual([copied.state, copied.itemsFailed], ['done', 0], JSON.stringify(copied));
  await server.ask(undoTransfer, { transferId });
  const isUndone = async (): Promise<boolean> => (await transfer()).undoLeft !== undefined;

  let killed = 0;
  for (; killed < kills; killed++) {
    const sent = proxy.bytesUp();
    await eventually(async () => proxy.bytesUp() > sent + 2000 || (await isUndone()), 'the undo goes on', 120_000);
    await sleep(random() * 200);
    if (await isUndone()) break;
    await server.kill();
    server = await startServer(t, settings, server.cookies);
  }
  assert.ok(killed > 0, 'the undo was over before the first kill');
  await eventually(isUndone, 'the transfer is undone', 120_000);
  assert.deepEqual([(await transfer()).undoLeft, (await transfer()).error], [0, undefined]);
  assert.deepEqual(await contents(to), before);
});
