import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type OpensshServer, type Proxy, eventually, freePort, startOpenssh, startProxy } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { passingTime } from '../../kit/testing/passing-time.ts';
import { openTestLink } from './testing/link.ts';

const MiB = 1024 * 1024;
const ask = () => ({ signal: AbortSignal.timeout(30_000) });
let server: OpensshServer;
let proxy: Proxy;
before(async () => {
  server = await startOpenssh();
  proxy = await startProxy({ target: { port: server.port } });
  await writeFile(join(server.home, 'big'), Buffer.alloc(32 * MiB, 'abc'));
});
after(async () => {
  await proxy.stop();
  await server.stop();
});

/** Opens a link through its own proxy while the callback runs. */
async function throughProxy(
  work: (connector: Connector, line: Proxy) => Promise<void>,
  options: Parameters<typeof openTestLink>[1] = {},
  target: OpensshServer = server,
): Promise<void> {
  const line = await startProxy({ target: { port: target.port } });
  const connector = openTestLink({ ...target, port: line.port }, options);
  try {
    await work(connector, line);
  } finally {
    await connector.close();
    await line.stop();
  }
}

const namesIn = async (connector: Connector, folder: string): Promise<string[]> => {
  const names: string[] = [];
  for await (const batch of connector.list(folder, ask())) names.push(...batch.map(({ name }) => name));
  return names.sort();
};

test('connections never exceed the setting and are reused', () =>
  throughProxy(
    async (connector, line) => {
      await Promise.all(Array.from({ length: 40 }, () => connector.stat('/big', ask())));
      await Promise.all(
        Array.from({ length: 6 }, async () => collect(await connector.read('/big', { ...ask(), range: { start: 0, end: MiB } }))),
      );
      assert.equal(line.connectionsPeak(), 3);
      assert.equal(line.connectionsEver(), 3);
    },
    { info: { numConcurrentConnections: '3' } },
  ));

test('consecutive calls share one connection', () =>
  throughProxy(async (connector, line) => {
    for (let round = 0; round < 5; round++) await connector.stat('/', ask());
    assert.equal(line.connectionsEver(), 1);
  }));

test('an unused connection is closed, and a new one opened when it is needed', () =>
  throughProxy(
    async (connector, line) => {
      await connector.stat('/', ask());
      await eventually(() => line.connections() === 0, 'the idle connection is closed');
      await connector.stat('/', ask());
      assert.equal(line.connectionsEver(), 2);
    },
    { timeouts: { idle: 50 } },
  ));

test('a dead connection is replaced', () =>
  throughProxy(async (connector, line) => {
    await connector.stat('/', ask());
    line.cut();
    await eventually(() => line.connections() === 0, 'the connection is gone');
    await eventually(
      () =>
        connector.stat('/', ask()).then(
          () => true,
          () => false,
        ),
      'the link works again',
    );
  }));

test('an incomplete download is interrupted', () =>
  throughProxy(async (connector, line) => {
    const body = await connector.read('/big', ask());
    line.cutAfter(4 * MiB);
    await assert.rejects(
      body.drain(async () => undefined),
      { kind: 'interrupted' },
    );
  }));

test('a download that falls silent times out', (t) =>
  throughProxy(async (connector, line) => {
    const endures = passingTime(t);
    const body = await connector.read('/big', ask());
    line.hang();
    await assert.rejects(endures(body.drain(async () => undefined)), { kind: 'timeout' });
    line.resume();
    assert.equal((await connector.stat('/big', ask())).size, 32 * MiB);
  }));

test('a silent server times out, during login and after it', (t) =>
  throughProxy(async (connector, line) => {
    const endures = passingTime(t);
    line.hang();
    await assert.rejects(endures(connector.stat('/', ask())), { kind: 'timeout' });
    line.resume();
    await connector.stat('/', ask());
    line.hang();
    await assert.rejects(endures(connector.stat('/', ask())), { kind: 'timeout' });
    await assert.rejects(endures(namesIn(connector, '/')), { kind: 'timeout' });
  }));

test('a caller who leaves while the server hangs is released at once', () =>
  throughProxy(async (connector, line) => {
    const body = await connector.read('/big', ask());
    const gone = new AbortController();
    line.hang();
    const waiting = [connector.stat('/', { signal: gone.signal }), connector.read('/big', { signal: gone.signal })];
    body.cancel();
    gone.abort();
    for (const call of waiting) await assert.rejects(call, { kind: 'aborted' });
  }));

test('a closed port is unreachable', async () => {
  const connector = openTestLink({ ...server, port: await freePort() });
  await assert.rejects(connector.stat('/', ask()), { kind: 'unreachable' });
});

test('a server that refuses changes is forbidden, and can be listed', async () => {
  const readOnly = await startOpenssh({ readOnly: true });
  try {
    const connector = openTestLink(readOnly);
    assert.deepEqual(await namesIn(connector, '/'), []);
    const write = connector.write?.('/file', Readable.from([Buffer.from('x')]), { ...ask(), ifExists: 'replace' });
    await assert.rejects(async () => write, { kind: 'forbidden' });
    await assert.rejects(async () => connector.createFolder?.('/new', ask()), { kind: 'forbidden' });
    await connector.close();
  } finally {
    await readOnly.stop();
  }
});

test('an interrupted upload leaves the old file, and its partial file is removed by the next connection', () =>
  throughProxy(async (connector, line) => {
    await writeFile(join(server.home, 'kept'), 'the old one');
    let sent = 0;
    const body = new Readable({
      read() {
        sent += 1;
        if (sent === 40) line.cut();
        this.push(Buffer.alloc(64 * 1024));
      },
    });
    await assert.rejects(async () => connector.write?.('/kept', body, { ...ask(), ifExists: 'replace', size: 64 * MiB }), {
      kind: 'interrupted',
    });
    assert.equal(await readFile(join(server.home, 'kept'), 'utf8'), 'the old one');
    assert.ok(body.destroyed);
    assert.deepEqual(
      (await readdir(server.home)).filter((name) => name.startsWith('.sheaf')),
      [],
    );
  }));

test('with a high latency a large file uses several channels, and one where the server refuses more', async () => {
  const strict = await startOpenssh({ maxSessions: 1 });
  await writeFile(join(strict.home, 'big'), Buffer.alloc(32 * MiB, 'abc'));
  const expected = Buffer.alloc(32 * MiB, 'abc');
  const sessions = (target: OpensshServer) => target.output().split("Starting session: subsystem 'sftp'").length - 1;
  try {
    for (const [target, channels] of [
      [server, 8],
      [strict, 1],
    ] as const) {
      const earlier = sessions(target);
      await throughProxy(
        async (connector, line) => {
          line.delay(10);
          assert.ok((await collect(await connector.read('/big', ask()))).equals(expected));
          assert.equal(line.connectionsEver(), 1);
          const part = await collect(await connector.read('/big', { ...ask(), range: { start: 1_000_001, end: 20_000_000 } }));
          assert.ok(part.equals(expected.subarray(1_000_001, 20_000_000)));
        },
        {},
        target,
      );
      assert.equal(sessions(target) - earlier, channels);
    }
  } finally {
    await strict.stop();
  }
});

test('without the extensions of OpenSSH a file can still be replaced', async () => {
  const plain = await startOpenssh({ deniedRequests: ['posix-rename', 'fsync', 'limits'] });
  const connector = openTestLink(plain);
  const put = (text: string, ifExists: 'replace' | 'fail') =>
    connector.write?.('/file', Readable.from([Buffer.from(text)]), { ...ask(), ifExists });
  try {
    await put('one', 'replace');
    await put('two', 'replace');
    await assert.rejects(async () => put('three', 'fail'), { kind: 'alreadyExists' });
    assert.equal(await readFile(join(plain.home, 'file'), 'utf8'), 'two');
    assert.deepEqual(await readdir(plain.home), ['file']);
  } finally {
    await connector.close();
    await plain.stop();
  }
});

test('the start folder limits every path, whether it is absolute or relative to home', async () => {
  await mkdir(join(server.home, 'inner'));
  await writeFile(join(server.home, 'inner', 'file'), 'x');
  for (const path of ['inner', './inner/', '~/inner', join(server.home, 'inner')]) {
    const connector = openTestLink(server, { info: { path } });
    assert.deepEqual(await namesIn(connector, '/'), ['file']);
    await assert.rejects(connector.stat('/../big', ask()), { kind: 'badName' });
    await connector.close();
  }
});

test('names that are not UTF-8 are listed, read, renamed and deleted', async () => {
  const connector = openTestLink(server);
  const folder = Buffer.from(join(server.home, 'latin'));
  const raw = Buffer.concat([folder, Buffer.from('/caf\xe9', 'latin1')]);
  await mkdir(folder);
  await writeFile(raw, 'bytes');
  await chown(folder, ...(await owner()));
  const [name = ''] = await namesIn(connector, '/latin');
  assert.equal((await collect(await connector.read(`/latin/${name}`, ask()))).toString(), 'bytes');
  await connector.rename?.(`/latin/${name}`, `${name}2`, ask());
  assert.deepEqual(await readdir(folder, 'buffer'), [Buffer.from('caf\xe92', 'latin1')]);
  await connector.remove?.('/latin', ask());
  await assert.rejects(connector.stat('/latin', ask()), { kind: 'notFound' });
  await connector.close();
});

test('links are shown as their targets, deleted as themselves, and pipes are not shown', async () => {
  const connector = openTestLink(server);
  const folder = join(server.home, 'linked');
  await mkdir(join(folder, 'target'), { recursive: true });
  await writeFile(join(folder, 'target', 'inside'), '123');
  await symlink('target', join(folder, 'to-folder'));
  await symlink('target/inside', join(folder, 'to-file'));
  await symlink('nowhere', join(folder, 'dangling'));
  await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
  for (const path of [folder, join(folder, 'target'), join(folder, 'target', 'inside')]) await chown(path, ...(await owner()));
  const shown = new Map<string, string>();
  for await (const batch of connector.list('/linked', ask())) for (const { name, kind } of batch) shown.set(name, kind);
  const areLinks = ['target', 'to-folder', 'to-file', 'dangling'].map(
    async (name) => (await connector.lstat?.(`/linked/${name}`, ask()))?.isLink,
  );
  assert.deepEqual(await Promise.all(areLinks), [undefined, true, true, true]);
  assert.deepEqual(Object.fromEntries(shown), { dangling: 'file', target: 'folder', 'to-file': 'file', 'to-folder': 'folder' });
  await connector.write?.('/linked/to-file', Readable.from([Buffer.from('new')]), { ...ask(), ifExists: 'replace' });
  assert.equal(await readFile(join(folder, 'target', 'inside'), 'utf8'), 'new');
  for (const name of ['to-folder', 'dangling']) await connector.remove?.(`/linked/${name}`, ask());
  assert.deepEqual(await namesIn(connector, '/linked/target'), ['inside']);
  await connector.close();
});

/** The account's own user and group. */
async function owner(): Promise<[number, number]> {
  const { stdout } = await promisify(execFile)('stat', ['-c', '%u %g', server.home]);
  const [user = 0] = stdout.trim().split(' ').map(Number);
  return [user, 0];
}
