import assert from 'node:assert/strict';
import { chmod, chown, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startOpenssh, startProxy } from '@sheaf/testbed';
import { resumesInPlace } from '../../conformance/parts/resuming.ts';
import type { Connector } from '../../core/connector.ts';
import { resumableUploadsOf } from '../../core/operations.ts';
import { openKnownSftp } from './connector.ts';
import { openTestLink, testLinkOf } from './testing/link.ts';

const ask = () => ({ signal: AbortSignal.timeout(30_000) });

for (const deniedRequests of [[], ['posix-rename', 'fsync']])
  resumesInPlace(deniedRequests.length === 0 ? 'SFTP' : 'SFTP without extensions', async () => {
    const server = await startOpenssh({ deniedRequests });
    const proxy = () => startProxy({ target: { port: server.port } });
    return { ...server, proxy, open: (port, leftovers) => openTestLink({ ...server, port }, { leftovers }) };
  });

async function account(t: TestContext, deniedRequests: readonly string[] = []) {
  const server = await startOpenssh({ deniedRequests });
  t.after(() => server.stop());
  const opened = (connector: Connector): Connector => {
    t.after(() => connector.close());
    return connector;
  };
  return { server, opened };
}

for (const deniedRequests of [[], ['posix-rename']])
  test(`a file of which only its owner may read is replaced with its permissions${deniedRequests.length === 0 ? '' : ', also without a replacing rename'}`, async (t) => {
    const { server, opened } = await account(t, deniedRequests);
    const file = join(server.home, 'file');
    await writeFile(file, 'old');
    const { uid, gid } = await stat(server.home);
    await chown(file, uid, gid);
    await chmod(file, 0o400);
    const uploads = resumableUploadsOf(opened(openTestLink(server))) ?? assert.fail();
    const call = { ...ask(), size: 3, ifExists: 'replace' as const };
    const { session } = await uploads.beginUpload('/file', call);
    const [partial = ''] = (await readdir(server.home)).filter((name) => name !== 'file');
    assert.equal((await stat(join(server.home, partial))).mode & 0o077, 0, 'others may read what is being uploaded');
    await uploads.sendPart('/file', Readable.from([Buffer.from('new')]), { ...ask(), session, offset: 0, size: 3 });
    await uploads.finishUpload('/file', { ...call, session, parts: [], hashes: {} });
    assert.equal(await readFile(file, 'utf8'), 'new');
    assert.equal((await stat(file)).mode & 0o777, 0o400);
    assert.deepEqual(await readdir(server.home), ['file']);
  });

test('a copy is made on the server, with the time and permissions of the original', async (t) => {
  const { server, opened } = await account(t);
  const size = 40 * 1024 * 1024 + 3;
  const bytes = Buffer.alloc(size, 'abcdefg');
  await writeFile(join(server.home, 'file'), bytes, { mode: 0o640 });
  const { uid, gid } = await stat(server.home);
  await chown(join(server.home, 'file'), uid, gid);
  const line = await startProxy({ target: { port: server.port } });
  t.after(() => line.stop());
  const entry = await opened(openTestLink({ ...server, port: line.port })).copy?.('/file', '/copy', ask());
  assert.equal(entry?.size, size);
  assert.ok((await readFile(join(server.home, 'copy'))).equals(bytes));
  const [from, to] = await Promise.all(['file', 'copy'].map((name) => stat(join(server.home, name))));
  assert.equal(Math.floor((to?.mtimeMs ?? 0) / 1000), Math.floor((from?.mtimeMs ?? 1) / 1000));
  assert.equal(to?.mode, from?.mode);
  assert.ok(line.bytesDown() < 1024 * 1024, `${line.bytesDown()} bytes passed through`);
});

test('a server that cannot copy is remembered, and the link offers no copy from the next opening on', async (t) => {
  const { server, opened } = await account(t, ['copy-data']);
  await writeFile(join(server.home, 'file'), 'bytes');
  const { config, env } = testLinkOf(server);
  const first = opened(await openKnownSftp(config, env));
  await assert.rejects(async () => first.copy?.('/file', '/copy', ask()), { kind: 'unsupported' });
  assert.ok(first.copy);
  assert.deepEqual(await readdir(server.home), ['file']);
  assert.equal(opened(await openKnownSftp(config, env)).copy, undefined);
});
