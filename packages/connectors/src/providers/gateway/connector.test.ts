import assert from 'node:assert/strict';
import { readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { type FileServer, eventually, startFileServer } from '@sheaf/testbed';
import { conformance, fillOnDisk } from '../../conformance/index.ts';
import { capabilitiesOf } from '../../core/operations.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { ofs, sheafgateway } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const facts = new Map<string, string>();
const env = {
  dialer: createDialer({ privateNetworks: 'allow' }),
  remember: async (fact: string, value: string) => void facts.set(fact, value),
  recall: async (fact: string) => facts.get(fact),
};
const openOfs = (server: FileServer, more: Record<string, string> = {}) =>
  ofs.open(ofs.parse({ server: server.url, username: server.user, password: server.password, ...more }, 'OFS'), env);
const openGateway = (server: FileServer, authjson = server.connection) =>
  sheafgateway.open(sheafgateway.parse({ server: server.url, authjson }, 'SheafGateway'), env);

for (const [title, open] of [
  ['file server', openOfs],
  ['gateway', openGateway],
] as const)
  describe(title, () => {
    let server: FileServer;
    before(async () => {
      server = await startFileServer();
    });
    after(() => server.stop());
    conformance(title, () => open(server), {
      bin: 'hidden',
      keepsModified: true,
      hashes: ['sha256'],
      resumes: { reopen: () => open(server) },
      reallyIn: (folder) => readdir(join(server.root, folder)),
      fill: fillOnDisk(() => server.root),
    });
  });

test('a wrong password is wrong credentials, a wrong or revoked connection JSON an invalid key', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  await assert.rejects((await openOfs(server, { password: 'wrong' })).stat('/', ask()), { kind: 'unauthorized' });
  await assert.rejects((await openOfs(server, { username: 'nobody' })).stat('/', ask()), { kind: 'unauthorized' });
  const { id } = JSON.parse(server.connection) as { readonly id: string };
  const strange = JSON.stringify({ sheafGateway: 1, id, secret: 'guessed' });
  await assert.rejects((await openGateway(server, strange)).stat('/', ask()), { kind: 'wrongKey' });
  const gateway = await openGateway(server);
  assert.equal((await gateway.stat('/', ask())).kind, 'folder');
  await server.revoke(server.connection);
  await assert.rejects(gateway.stat('/', ask()), { kind: 'wrongKey' });
});

test('passwords cannot be guessed: after ten failures even the right one has to wait', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  const wrong = await openOfs(server, { password: 'wrong' });
  for (let attempt = 0; attempt < 10; attempt += 1) await assert.rejects(wrong.stat('/', ask()), { kind: 'unauthorized' });
  await assert.rejects((await openOfs(server)).stat('/', ask()), ({ kind, retryAfter }: { kind: string; retryAfter: number }) => {
    assert.ok(retryAfter > 0);
    return kind === 'rateLimited';
  });
  assert.equal((await (await openGateway(server)).stat('/', ask())).kind, 'folder');
});

test('a read-only server offers reading only, from the second opening on, and refuses changes before', async (t) => {
  facts.clear();
  const server = await startFileServer({ readOnly: true });
  t.after(() => server.stop());
  await writeFile(join(server.root, 'file'), 'bytes');
  const first = await openOfs(server);
  for await (const batch of first.list('/', ask())) assert.equal(batch.length, 1);
  await assert.rejects(async () => first.remove?.('/file', ask()), { kind: 'forbidden' });
  const body = Readable.from([Buffer.from('new')]);
  await assert.rejects(async () => first.write?.('/file', body, { ...ask(), ifExists: 'replace', size: 3 }), { kind: 'forbidden' });
  assert.ok(body.destroyed);
  assert.deepEqual(capabilitiesOf(await openOfs(server)), ['list', 'stat', 'read']);
  assert.equal(await readFile(join(server.root, 'file'), 'utf8'), 'bytes');
  facts.clear();
});

test('names that are not UTF-8 work in every call', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  await writeFile(Buffer.concat([Buffer.from(`${server.root}/`), Buffer.from([0x66, 0xfc, 0xff])]), 'latin');
  const connector = await openOfs(server);
  const names: string[] = [];
  for await (const batch of connector.list('/', ask())) names.push(...batch.map(({ name }) => name));
  const [name = ''] = names;
  assert.equal(names.length, 1);
  assert.equal((await connector.stat(`/${name}`, ask())).size, 5);
  assert.equal((await collect(await connector.read(`/${name}`, ask()))).toString(), 'latin');
  assert.equal((await connector.copy?.(`/${name}`, `/${name}${name}`, ask()))?.name, name + name);
  await connector.rename?.(`/${name}`, 'plain', ask());
  assert.deepEqual((await readdir(server.root, { encoding: 'buffer' })).map((bytes) => bytes.toString('latin1')).sort(), [
    'f\u00fc\u00fff\u00fc\u00ff',
    'plain',
  ]);
});

test('of two writers who must not replace exactly one wins, and the file is whole', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  const connector = await openOfs(server);
  for (let round = 0; round < 10; round += 1) {
    const writers = Array.from({ length: 6 }, async (_, index) => {
      const bytes = Buffer.alloc(200_000, String(index));
      await connector.write?.(`/file ${round}`, Readable.from([bytes]), { ...ask(), ifExists: 'fail', size: bytes.length });
      return index;
    });
    const results = await Promise.allSettled(writers);
    const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(winners.length, 1);
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.kind, 'alreadyExists');
    assert.ok((await readFile(join(server.root, `file ${round}`))).equals(Buffer.alloc(200_000, String(winners[0]))));
  }
  assert.equal((await readdir(server.root)).length, 10);
});

test('of two folders that move to the same name exactly one gets it, and an empty folder is not replaced', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  const connector = await openOfs(server);
  for (let round = 0; round < 10; round += 1) {
    for (const index of [0, 1, 2, 3]) {
      await connector.createFolder?.(`/from ${round} ${index}`, ask());
      await writeFile(join(server.root, `from ${round} ${index}`, String(index)), '');
    }
    const moves = await Promise.allSettled(
      [0, 1, 2, 3].map(async (index) => connector.move?.(`/from ${round} ${index}`, `/to ${round}`, ask())),
    );
    assert.equal(moves.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await readdir(join(server.root, `to ${round}`))).length, 1);
  }
  await connector.createFolder?.('/empty', ask());
  await assert.rejects(async () => connector.move?.('/to 0', '/empty', ask()), { kind: 'alreadyExists' });
  await assert.rejects(async () => connector.move?.('/to 0', '/to 0/deeper', ask()), { kind: 'forbidden' });
  await assert.rejects(async () => connector.copy?.('/to 0', '/to 0/deeper', ask()), { kind: 'forbidden' });
});

test('a server that is killed in the middle of an upload keeps the old file, and removes the partial one after a restart', async (t) => {
  const server = await startFileServer();
  await writeFile(join(server.root, 'file'), 'the old one');
  const connector = await openOfs(server);
  let pieces = 3;
  const body = new Readable({
    read() {
      if (pieces > 0) this.push(Buffer.alloc(1_000_000, 'x'));
      pieces -= 1;
    },
  });
  const write = connector.write?.('/file', body, { ...ask(), ifExists: 'replace', size: 9_000_000 });
  const broken = assert.rejects(async () => write, { kind: 'interrupted' });
  const partials = async () => (await readdir(server.root)).filter((name) => name.startsWith('.sheaf-partial-'));
  await eventually(async () => {
    const [partial] = await partials();
    return partial !== undefined && (await stat(join(server.root, partial))).size > 1_000_000;
  }, 'half of the upload is on the disk');
  process.kill(server.pid, 'SIGKILL');
  await broken;
  assert.equal(await readFile(join(server.root, 'file'), 'utf8'), 'the old one');
  assert.equal((await partials()).length, 1);
  const again = await startFileServer({ root: server.root });
  t.after(async () => {
    await again.stop();
    await server.stop();
  });
  await eventually(async () => (await partials()).length === 0, 'the partial file is gone');
  assert.deepEqual(await readdir(server.root), ['file']);
});

test('symbolic links within the export act as their targets; writing through one keeps the link', async (t) => {
  const server = await startFileServer();
  t.after(() => server.stop());
  const connector = await openOfs(server);
  await writeFile(join(server.root, 'file'), 'bytes');
  await symlink('file', join(server.root, 'link'));
  assert.equal((await connector.stat('/link', ask())).size, 5);
  assert.deepEqual(
    [(await connector.lstat?.('/link', ask()))?.isLink, (await connector.lstat?.('/file', ask()))?.isLink],
    [true, undefined],
  );
  await connector.write?.('/link', Readable.from([Buffer.from('changed')]), { ...ask(), ifExists: 'replace' });
  assert.equal(await readFile(join(server.root, 'file'), 'utf8'), 'changed');
  await connector.remove?.('/link', ask());
  assert.deepEqual(await readdir(server.root), ['file']);
});

test('many small files come in one response, with difficult names too; one that has changed in the meantime aborts it', async (t) => {
  facts.clear();
  const server = await startFileServer();
  t.after(() => server.stop());
  const connector = await openOfs(server);
  const bytes = new Map(['a b+c.txt', '100%.bin', 'ünï & cö', 'empty'].map((name, index) => [name, Buffer.alloc(index * 90_000, name)]));
  bytes.set('empty', Buffer.alloc(0));
  for (const [name, content] of bytes) await writeFile(join(server.root, name), content);
  const files = [...bytes].map(([name, { length }]) => ({ path: `/${name}`, size: length }));
  const body = await connector.readMany?.(files, ask());
  assert.ok(body);
  assert.ok((await collect(body)).equals(Buffer.concat([...bytes.values()])));
  await writeFile(join(server.root, '100%.bin'), 'shorter');
  await assert.rejects(async () => collect((await connector.readMany?.(files, ask())) ?? assert.fail('no answer')), {
    kind: 'sizeDiffers',
  });
});

test('many files are not requested at once from a server that does not report the capability', async () => {
  facts.clear();
  facts.set('capabilities', 'write');
  const connector = await ofs.open(ofs.parse({ server: 'http://127.0.0.1:9', username: 'mara', password: 'x' }, 'OFS'), env);
  assert.equal(connector.readMany, undefined);
  facts.clear();
});
