import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createAuthCode, familyCalls, linkUriOf, listUploads, makeToken, tus } from '@sheaf/contract';
import { type FtpServer, eventually, run, startOpenssh, startProftpd, tempDir } from '@sheaf/testbed';
import { type HttpRequest, Upload } from 'tus-js-client';
import { type User, testApp } from '#/testing/app.ts';
import { draftOf, ftpInfo, sftpInfo } from '#/testing/links.ts';
import { tusRequests } from '#/testing/tus.ts';

const MiB = 1024 * 1024;

interface Place {
  readonly home: string;
  add(user: User): Promise<{ userLinkId: string }>;
}

async function startSftp(t: TestContext): Promise<Place> {
  const server = await startOpenssh();
  t.after(() => server.stop());
  const info = { ...sftpInfo, server: `${server.host}:${server.port}`, username: server.username, password: server.password };
  return { home: server.home, add: (user) => user.ask(familyCalls.sftp.add, draftOf(info)) };
}

async function startFtp(t: TestContext): Promise<Place> {
  const server: FtpServer = await startProftpd();
  t.after(() => server.stop());
  const info = { ...ftpInfo, protocol: 'FTP', server: `${server.host}:${server.port}`, username: server.user, password: server.password };
  return { home: server.home, add: (user) => user.ask(familyCalls.ftp.add, draftOf(info)) };
}

const headersOf = (user: User) => ({
  cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  'x-rtag': user.session.rTag,
});

/** A running server, a link of a user, and what is needed to upload into it. */
async function uploading(t: TestContext, start: (t: TestContext) => Promise<Place> = startSftp) {
  const place = await start(t);
  const { app, signUp, services } = await testApp(t);
  const owner = await signUp();
  const { userLinkId } = await place.add(owner);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const requests = tusRequests({ url, headers: () => headersOf(owner) });
  const begin = async (size: number, name = 'film.bin', more = {}): Promise<string> => {
    const response = await requests.create(size, { parentLinkUri: linkUriOf(userLinkId, '/'), name, ...more });
    assert.equal(response.status, 201, await response.text());
    return response.headers.get('location') ?? assert.fail('no Location');
  };
  const stored = (name = 'film.bin') => readFile(join(place.home, name));
  return { ...place, ...requests, app, signUp, services, owner, url, begin, stored, root: linkUriOf(userLinkId, '/') };
}

/** Uploads with the client of the protocol's authors. */
const byClient = (bytes: Buffer, options: ConstructorParameters<typeof Upload>[1]): Promise<void> =>
  new Promise((resolve, reject) => {
    new Upload(bytes, { ...options, retryDelays: [0, 100, 500], onError: reject, onSuccess: () => resolve() }).start();
  });

for (const [name, start] of [
  ['SFTP', startSftp],
  ['FTP', startFtp],
] as const)
  test(`tus-js-client uploads to ${name}, whole and in small pieces, large and small and empty files`, async (t) => {
    const { owner, url, root, stored, home } = await uploading(t, start);
    for (const [index, [size, chunkSize]] of [
      [0, Infinity],
      [1, Infinity],
      [300_000, 70_001],
      [20 * MiB + 5, Infinity],
      [33 * MiB, 5 * MiB],
    ].entries()) {
      const bytes = randomBytes(size ?? 0);
      const file = `täst ${index}.bin`;
      const beforeRequest = (request: HttpRequest) => {
        for (const [header, value] of Object.entries(headersOf(owner))) request.setHeader(header, value);
      };
      await byClient(bytes, {
        endpoint: url + tus.path,
        ...(chunkSize !== Infinity && { chunkSize: chunkSize ?? 0 }),
        metadata: { parentLinkUri: root, filename: file },
        onBeforeRequest: beforeRequest,
      });
      assert.ok(bytes.equals(await stored(file)), file);
    }
    assert.equal((await readdir(home)).filter((one) => one.startsWith('.sheaf')).length, 0);
    assert.deepEqual(await owner.ask(listUploads, {}), { uploads: [] });
  });

test('curl uploads with the token of a command line', async (t) => {
  const { url, root, stored, owner } = await uploading(t);
  const folder = await tempDir('tus');
  t.after(() => folder.remove());
  const bytes = randomBytes(17 * MiB);
  await writeFile(join(folder.path, 'in'), bytes);
  const { authCode } = await owner.ask(createAuthCode, { name: 'curl' });
  const { token } = await owner.ask(makeToken, { authCode });
  const always = ['-sS', '--fail-with-body', '-H', 'Tus-Resumable: 1.0.0', '-H', `Authorization: Bearer ${token}`];
  const value = (text: string) => Buffer.from(text).toString('base64');
  const meta = `parentLinkUri ${value(root)},name ${value('film.bin')}`;
  const begun = await run('curl', [
    ...always,
    '-D',
    '-',
    '-X',
    'POST',
    '-H',
    `Upload-Length: ${bytes.byteLength}`,
    '-H',
    `Upload-Metadata: ${meta}`,
    url + tus.path,
  ]);
  const [, location = ''] = /^location: (.*)\r$/im.exec(begun) ?? assert.fail(begun);
  const patch = ['-X', 'PATCH', '-H', 'Upload-Offset: 0', '-H', `Content-Type: ${tus.bodyType}`, '-T', join(folder.path, 'in')];
  await run('curl', [...always, ...patch, url + location]);
  assert.ok(bytes.equals(await stored()));
});

test('a request of another version, with a wrong offset, type, length or metadata is refused, and says why', async (t) => {
  const { ask, begin, patch, root, create } = await uploading(t);
  const location = await begin(10);
  const version = await ask('HEAD', location, { 'tus-resumable': '0.2.2' });
  assert.deepEqual([version.status, version.headers.get('tus-version')], [412, '1.0.0']);
  assert.equal((await patch(location, 3, 'abc')).status, 409);
  assert.equal((await patch(location, 0, 'abc', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await patch(location, 0, 'more than ten')).status, 413);
  assert.equal((await ask('POST', tus.path, { 'upload-length': '-1' })).status, 400);
  assert.equal((await create(10, { parentLinkUri: root })).status, 400);
  assert.equal((await create(10, { parentLinkUri: root, name: '../x' })).status, 400);
  assert.equal((await create(10, { parentLinkUri: `${root}nowhere/`, name: 'x', conflict: 'maybe' })).status, 400);
  const options = await ask('OPTIONS', tus.path);
  assert.deepEqual([options.status, options.headers.get('tus-extension')], [204, 'creation,termination,expiration,checksum']);
});

test('a write without the rTag of its session is refused, and nobody else sees or changes an upload', async (t) => {
  const { begin, owner, signUp, url, ask } = await uploading(t);
  const location = await begin(20 * MiB);
  assert.equal((await ask('DELETE', location, { 'x-rtag': 'wrong' })).status, 401);
  const stranger = await signUp();
  const theirs = tusRequests({ url, headers: () => headersOf(stranger) });
  for (const method of ['HEAD', 'DELETE']) assert.equal((await theirs.ask(method, location)).status, 404);
  assert.equal((await theirs.patch(location, 0, 'x')).status, 404);
  assert.deepEqual(await stranger.ask(listUploads, {}), { uploads: [] });
  const { uploads } = await owner.ask(listUploads, {});
  assert.deepEqual(
    uploads.map(({ name, size, position }) => [name, size, position]),
    [['film.bin', 20 * MiB, 0]],
  );
});

test('bytes with a wrong checksum are refused and never stored', async (t) => {
  const { begin, patch, stored, offset } = await uploading(t);
  const location = await begin(6);
  const sum = (text: string) => ({ 'upload-checksum': `sha1 ${createHash('sha1').update(text).digest('base64')}` });
  assert.equal((await patch(location, 0, 'abc', sum('abd'))).status, 460);
  assert.equal((await patch(location, 0, 'abc', { 'upload-checksum': 'rot13 abc' })).status, 400);
  assert.equal(await offset(location), 0);
  assert.equal((await patch(location, 0, 'abc', sum('abc'))).status, 204);
  assert.equal((await patch(location, 3, 'def', sum('def'))).status, 204);
  assert.equal(String(await stored()), 'abcdef');
  assert.equal(await offset(location), 6);
});

test('ending an upload removes what the storage has of it', async (t) => {
  const { begin, patch, ask, home } = await uploading(t);
  const location = await begin(40 * MiB);
  assert.equal((await patch(location, 0, randomBytes(20 * MiB))).status, 204);
  assert.notDeepEqual(await readdir(home), []);
  assert.equal((await ask('DELETE', location)).status, 204);
  assert.deepEqual(await readdir(home), []);
  assert.equal((await ask('HEAD', location)).status, 404);
});

test('a cut request loses nothing that has arrived, and a new request ends one that hangs', async (t) => {
  const { begin, patch, offset, stored, owner } = await uploading(t);
  const bytes = randomBytes(24 * MiB);
  const location = await begin(bytes.byteLength);
  const hanging = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.subarray(0, 5 * MiB)),
  });
  const hung = patch(location, 0, hanging).then(
    ({ status }) => status,
    () => 'cut',
  );
  // The list tells how far it is; HEAD would end the hanging request.
  await eventually(async () => (await owner.ask(listUploads, {})).uploads[0]?.position === 5 * MiB, 'bytes are taken');
  const next = await offset(location);
  assert.equal(next, 5 * MiB);
  assert.ok(['cut', 409].includes(await hung));
  assert.equal((await patch(location, next, bytes.subarray(next))).status, 204);
  assert.ok(bytes.equals(await stored()));
});

test('a taken name is refused at the beginning, replaced, or numbered, as the client wants', async (t) => {
  const { begin, patch, create, root, home, stored } = await uploading(t);
  await writeFile(join(home, 'film.bin'), 'old');
  await mkdir(join(home, 'folder'));
  assert.equal((await create(20 * MiB, { parentLinkUri: root, name: 'film.bin' })).status, 409);
  const [one, other] = [randomBytes(20 * MiB), randomBytes(20 * MiB)];
  assert.equal((await patch(await begin(one.byteLength, 'film.bin', { conflict: 'rename' }), 0, one)).status, 204);
  assert.ok(one.equals(await stored('film 2.bin')));
  const replacing = await begin(other.byteLength, 'film.bin', { conflict: 'replace', modified: '1700000000000' });
  assert.equal(String(await stored()), 'old');
  assert.equal((await patch(replacing, 0, other)).status, 204);
  assert.ok(other.equals(await stored()));
});
