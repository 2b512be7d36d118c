import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { copyFromAddress, copyObjects, linkUriOf, lookAtAddress, oneTransfer, transferPlan } from '@sheaf/contract';
import { eventually, startNginx } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

const bytes = randomBytes(3 * 1024 * 1024 + 7);
const sha256 = createHash('sha256').update(bytes).digest('hex');

/** A web server with a film that a password protects and an address that leads to it, and a link to copy it into. */
async function setting(t: TestContext) {
  const nginx = await startNginx({ extra: ['location = /latest { return 302 /film.bin?signature=secret-of-the-address; }'] });
  t.after(() => nginx.stop());
  await writeFile(join(nginx.home, 'film.bin'), bytes);
  const app = await linkApp(t);
  const { userLinkId } = await addSftp(app.user, 'Files', { server: 'files.example' });
  const login = `${nginx.user}:${encodeURIComponent(nginx.password)}`;
  const address = (path: string) => `http://${login}@${nginx.host}:${nginx.port}${path}`;
  return { ...app, address, root: linkUriOf(userLinkId, '/'), nginx };
}

async function ended(user: User, transferId: string) {
  const state = async () => (await user.ask(oneTransfer, { transferId })).state;
  await eventually(async () => ['done', 'failed'].includes(await state()), 'the transfer has ended');
  const { items } = await user.ask(transferPlan, { transferId, offset: 0, limit: 10 });
  return { state: await state(), items };
}

const contentOf = (source: Awaited<ReturnType<typeof linkApp>>['source'], name: string): Buffer | undefined => {
  const node = source.root.children.get(name);
  return node !== undefined && 'bytes' in node ? (node.bytes as Buffer) : undefined;
};

test('what lies at an address is told before it is copied: name, size and type', async (t) => {
  const { user, address } = await setting(t);
  const found = await user.ask(lookAtAddress, { address: address('/latest') });
  assert.deepEqual([found.name, found.size, found.host], ['film.bin', bytes.byteLength, '127.0.0.1']);
  assert.ok(found.modified !== undefined && Math.abs(found.modified - Date.now() / 1000) < 120);
  assert.equal((await user.refusal(lookAtAddress, { address: address('/nothing') })).messageCode, 'ITEM_NOT_FOUND');
  for (const refused of ['ftp://files.example/a', 'file:///etc/passwd', 'nowhere'])
    assert.equal((await user.refusal(lookAtAddress, { address: refused })).messageCode, 'ADDRESS_REFUSED');
});

test('a file of the web is copied by a transfer, through redirects, and compared with its checksum', async (t) => {
  const { user, address, root, source } = await setting(t);
  const { transferId } = await user.ask(copyFromAddress, {
    address: address('/latest'),
    parentLinkUri: root,
    conflict: 'fail',
    checksum: sha256,
  });
  const { state, items } = await ended(user, transferId);
  assert.deepEqual([state, items.map(({ proof }) => proof)], ['done', ['hash']]);
  assert.ok(contentOf(source, 'film.bin')?.equals(bytes));
});

test('a file that differs from its checksum is not kept', async (t) => {
  const { user, address, root, source } = await setting(t);
  const wrong = createHash('sha256').update('another').digest('hex');
  const ask = { address: address('/film.bin'), parentLinkUri: root, conflict: 'fail' } as const;
  const { transferId } = await user.ask(copyFromAddress, { ...ask, checksum: wrong });
  const { state, items } = await ended(user, transferId);
  assert.deepEqual([state, items.map(({ error }) => error?.messageCode)], ['failed', ['CONTENT_DAMAGED']]);
  assert.equal(contentOf(source, 'film.bin'), undefined);
  assert.equal((await user.refusal(copyFromAddress, { ...ask, checksum: 'abc' })).messageCode, 'CHECKSUM_REFUSED');
});

test('the file gets the wanted name, and a name that nothing can have is refused', async (t) => {
  const { user, address, root, source } = await setting(t);
  const ask = { address: address('/film.bin'), parentLinkUri: root, conflict: 'fail' } as const;
  assert.equal((await user.refusal(copyFromAddress, { ...ask, newName: '../up' })).messageCode, 'FILE_NAME_REFUSED');
  const { transferId } = await user.ask(copyFromAddress, { ...ask, newName: 'Our film.bin' });
  assert.equal((await ended(user, transferId)).state, 'done');
  assert.ok(contentOf(source, 'Our film.bin')?.equals(bytes));
});

test('an address stays secret: no answer, log line or table shows it, and nobody else can copy from it', async (t) => {
  const { user, address, root, signUp, log, services } = await setting(t);
  const secret = 'signature=only-mine';
  const { transferId } = await user.ask(copyFromAddress, {
    address: address(`/film.bin?${secret}`),
    parentLinkUri: root,
    conflict: 'fail',
  });
  const { items } = await ended(user, transferId);
  const transfer = await user.ask(oneTransfer, { transferId });
  const [{ linkUri } = { linkUri: '' }] = transfer.from;
  const rows = await services.db.selectFrom('webAddress').selectAll().execute();
  assert.equal(rows.length, 1);
  for (const text of [JSON.stringify(transfer), JSON.stringify(items), JSON.stringify(rows), log()])
    assert.ok(!text.includes('only-mine'), text);
  const stranger = await signUp();
  const { userLinkId } = await addSftp(stranger, 'Mine', { server: 'files.example' });
  const refused = await stranger.refusal(copyObjects, { linkUri: [linkUri], parentLinkUri: linkUriOf(userLinkId, '/'), conflict: 'fail' });
  assert.equal(refused.messageCode, 'INVALID_LINK_URI');
});

test('an address in a private network is refused where links to one are', async (t) => {
  const nginx = await startNginx();
  t.after(() => nginx.stop());
  const { user } = await linkApp(t, { settings: { SHEAF_PRIVATE_NETWORKS: 'deny' } });
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'])
    assert.equal((await user.refusal(lookAtAddress, { address: `http://${host}:${nginx.port}/` })).messageCode, 'CANNOT_CONNECT', host);
});

test('an account asks servers of the web a bounded number of questions', async (t) => {
  const { user, signUp } = await linkApp(t, { settings: { SHEAF_PRIVATE_NETWORKS: 'deny' } });
  const look = async (someone: User) => (await someone.refusal(lookAtAddress, { address: 'http://127.0.0.1:1/' })).messageCode;
  const answers: string[] = [];
  // The minute in which they are counted may end meanwhile.
  while (answers.length < 300 && answers.at(-1) !== 'TOO_MANY_TRIES') answers.push(await look(user));
  assert.ok(answers.length > 120 && answers.at(-1) === 'TOO_MANY_TRIES', `${answers.length} answers`);
  assert.equal(await look(await signUp()), 'CANNOT_CONNECT');
});

test('a server that refuses HEAD, tells no size, or sends elsewhere for ever gets a clear answer', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (request.url === '/other') return response.writeHead(302, { location: 'ftp://files.example/a' }).end();
    if (request.method === 'HEAD') return response.writeHead(405).end();
    return response.writeHead(200, { 'content-disposition': 'attachment; filename="../told.txt"' }).end('of unknown length');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const { user, source } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'Files', { server: 'files.example' });
  assert.equal((await user.ask(lookAtAddress, { address: address('/') })).name, 'told.txt');
  assert.equal((await user.refusal(lookAtAddress, { address: address('/loop') })).messageCode, 'SOURCE_CONFUSED');
  assert.equal((await user.refusal(lookAtAddress, { address: address('/other') })).messageCode, 'SERVER_MOVED');
  const { transferId } = await user.ask(copyFromAddress, {
    address: address('/'),
    parentLinkUri: linkUriOf(userLinkId, '/'),
    conflict: 'fail',
  });
  assert.equal((await ended(user, transferId)).state, 'done');
  assert.equal(String(contentOf(source, 'told.txt')), 'of unknown length');
});
