import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startProftpd, startVsftpd } from '@sheaf/testbed';
import { partialPrefix } from '../../kit/names/path.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });

async function linked(t: TestContext, start: typeof startProftpd | typeof startVsftpd) {
  const server = await start();
  t.after(() => server.stop());
  const info = { server: `127.0.0.1:${server.port}`, protocol: 'FTP', username: server.user, password: server.password };
  const connector = openFtp(parseFtpConfig({ ...info, numConcurrentConnections: '1' }), { dialer });
  t.after(() => connector.close());
  const folder = async (name: string, mode = 0o777) => {
    await mkdir(join(server.home, name), { recursive: true });
    await chmod(join(server.home, name), mode);
    return join(server.home, name);
  };
  await folder('');
  return { home: server.home, folder, remove: async (path: string) => connector.remove?.(path, ask()) };
}

for (const start of [startProftpd, startVsftpd]) {
  test(`${start.name}: a link that cannot be deleted does not affect its target`, async (t) => {
    const { folder, remove } = await linked(t, start);
    await writeFile(join(await folder('precious'), 'photo'), 'x');
    await symlink('../precious', join(await folder('frozen'), 'link'));
    await folder('frozen', 0o555);
    for (const path of ['/frozen/link', '/frozen']) await assert.rejects(remove(path), { kind: 'forbidden' });
    assert.deepEqual(await readdir(await folder('precious')), ['photo']);
  });

  test(`${start.name}: a folder is deleted with the leftovers of an unfinished upload, and a link by itself`, async (t) => {
    const { home, folder, remove } = await linked(t, start);
    await writeFile(join(await folder('a*b'), `${partialPrefix}0`), 'half');
    await writeFile(join(await folder('a*b/inner'), `${partialPrefix}1`), 'half');
    await writeFile(join(await folder('kept'), 'file'), 'x');
    await symlink('kept', join(home, 'link'));
    await symlink('../kept', join(home, 'a*b', 'link'));
    for (const path of ['/a*b', '/link']) await remove(path);
    assert.deepEqual(await readdir(home), ['kept']);
    assert.deepEqual(await readdir(await folder('kept')), ['file']);
    await assert.rejects(remove('/gone'), { kind: 'notFound' });
  });
}
