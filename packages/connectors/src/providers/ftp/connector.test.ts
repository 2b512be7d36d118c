import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type FtpServer, startProftpd, startProxy, startVsftpd } from '@sheaf/testbed';
import { conformance, fillOnDisk, hardNames } from '../../conformance/index.ts';
import type { ReadOptions } from '../../core/connector.ts';
import { socketBuffers } from '../../kit/body/buffer-pool.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const infoOf = (server: { host: string; port: number }, login: { user: string; password: string }, more: Record<string, string> = {}) => ({
  server: `${server.host}:${server.port}`,
  protocol: 'FTP',
  username: login.user,
  password: login.password,
  numConcurrentConnections: '4',
  ...more,
});
const badNames = Object.values(hardNames).filter((name) => name.includes('\n'));

/** ProFTPD supports MLSD and MFMT; vsftpd supports neither and is read with LIST, SIZE and MDTM. */
const makes = { ProFTPD: { start: startProftpd, keepsModified: true }, vsftpd: { start: startVsftpd, keepsModified: false } };

for (const [make, { start, keepsModified }] of Object.entries(makes)) {
  describe(make, () => {
    let server: FtpServer;
    before(async () => {
      server = await start();
    });
    after(() => server.stop());
    const open = (more: Record<string, string> = {}) => openFtp(parseFtpConfig(infoOf(server, server, more)), { dialer });

    conformance(make, async () => open(), {
      bin: 'hidden',
      lacks: ['copy'],
      badNames,
      keepsModified,
      resumes: { reopen: async () => open() },
      parallel: 4,
      reallyIn: (folder) => readdir(join(server.home, folder)),
      fill: fillOnDisk(() => server.home),
    });

    test('a link is recognised by its target, in a listing and by itself', async () => {
      const connector = open();
      await mkdir(join(server.home, 'linked/folder'), { recursive: true });
      await writeFile(join(server.home, 'linked/file'), '12345');
      await symlink('file', join(server.home, 'linked/to-file'));
      await symlink('folder', join(server.home, 'linked/to-folder'));
      const links: string[] = [];
      for await (const batch of connector.list('/linked', ask())) for (const { name, isLink } of batch) if (isLink) links.push(name);
      assert.deepEqual(links.sort(), ['to-file', 'to-folder']);
      for (const [name, isLink] of Object.entries({ file: undefined, folder: undefined, 'to-file': true, 'to-folder': true }))
        assert.equal((await connector.lstat?.(`/linked/${name}`, ask()))?.isLink, isLink, name);
      await assert.rejects(async () => connector.lstat?.('/linked/none', ask()), { kind: 'notFound' });
      await connector.close();
    });

    test('a short file of known size is read without a large buffer, and a long one and a listing return theirs', async (t) => {
      const connector = open();
      const [take, give] = [t.mock.method(socketBuffers, 'take'), t.mock.method(socketBuffers, 'give')];
      const counts = () => [take.mock.callCount(), give.mock.callCount()];
      await mkdir(join(server.home, 'buffers'), { recursive: true });
      await writeFile(join(server.home, 'buffers/short'), Buffer.alloc(10 * 1024));
      await writeFile(join(server.home, 'buffers/long'), Buffer.alloc(300 * 1024));
      const read = async (name: string, size: number, more: Partial<ReadOptions> = {}): Promise<number> => {
        let bytes = 0;
        const body = await connector.read(`/buffers/${name}`, { ...ask(), known: { size }, ...more });
        await body.drain((chunk) => void (bytes += chunk.byteLength));
        return bytes;
      };
      assert.equal(await read('short', 10 * 1024), 10 * 1024);
      assert.equal(await read('short', 10 * 1024, { bytesOnly: true }), 10 * 1024);
      assert.deepEqual(counts(), [0, 0]);
      assert.equal(await read('long', 300 * 1024), 300 * 1024);
      assert.equal(await read('long', 300 * 1024, { range: { start: 0, end: 10 } }), 10);
      for await (const batch of connector.list('/buffers', ask())) assert.equal(batch.length, 2);
      assert.ok(take.mock.callCount() >= 3);
      assert.equal(give.mock.callCount(), take.mock.callCount());
      await connector.close();
    });

    test('a wrong password is reported as wrong credentials, not as a network error', async () => {
      await assert.rejects(open({ password: 'wrong' }).stat('/', ask()), { kind: 'unauthorized' });
    });

    test('a server without TLS is reported as having no certificate when TLS is required [FTP-07]', async () => {
      await assert.rejects(open({ protocol: 'FTPS (Explicit TLS)' }).stat('/', ask()), { kind: 'certificateMissing' });
    });

    test('no more connections are opened than allowed, and they are reused [FTP-08]', async (t) => {
      const proxy = await startProxy({ target: { port: server.port } });
      t.after(() => proxy.stop());
      const connector = openFtp(parseFtpConfig(infoOf(proxy, server, { numConcurrentConnections: '3' })), { dialer });
      await Promise.all(Array.from({ length: 24 }, () => connector.stat('/', ask())));
      assert.equal(proxy.connectionsEver(), 3);
      await connector.close();
    });
  });
}
