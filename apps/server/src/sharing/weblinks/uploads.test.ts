import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import {
  type InputOf,
  archiveWeblink,
  createWeblink,
  downloadWeblink,
  familyCalls,
  getWeblinks,
  limits,
  linkUriOf,
  listUploads,
  listWeblink,
  openWeblink,
  removeWeblink,
  thumbnailWeblink,
  updateWeblink,
  weblinkUploadsPath,
} from '@sheaf/contract';
import { eventually, startOpenssh } from '@sheaf/testbed';
import { Upload } from 'tus-js-client';
import { testApp } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { newSubjects } from '#/testing/outbox.ts';
import { metadata, tusRequests } from '#/testing/tus.ts';

const MiB = 1024 * 1024;
const idOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

/** A folder "Letters" on an SFTP server with one file in it, shared for uploads. */
async function letters(t: TestContext, choices: Partial<InputOf<typeof createWeblink>> = {}) {
  const server = await startOpenssh();
  t.after(() => server.stop());
  const folder = join(server.home, 'Letters');
  await mkdir(folder);
  await chmod(folder, 0o777);
  await writeFile(join(folder, 'secret.txt'), 'secret');
  const all = await testApp(t);
  const user = await all.signUp();
  const info = { ...sftpInfo, server: `${server.host}:${server.port}`, username: server.username, password: server.password };
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(info));
  const linkUri = linkUriOf(userLinkId, '/Letters');
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri, uploadOnly: true, ...choices });
  const weblinkId = idOf(sharelinkurl);
  await all.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(all.app.server.address() as AddressInfo).port}`;
  const endpoint = url + weblinkUploadsPath(weblinkId);
  const { ask, patch } = tusRequests({ url, headers: () => ({}) });
  const begin = (size: number, values: Readonly<Record<string, string>>, headers = {}): Promise<Response> =>
    ask('POST', endpoint, { 'upload-length': String(size), 'upload-metadata': metadata(values), ...headers });
  const put = async (name: string, bytes: string): Promise<number> => {
    const begun = await begin(bytes.length, { name });
    if (!begun.ok || bytes === '') return begun.status;
    return (await patch(begun.headers.get('location') ?? '', 0, bytes)).status;
  };
  const codeOf = async (answer: Promise<Response>): Promise<string> =>
    ((await (await answer).json()) as { messageCode: string }).messageCode;
  const own = async () => (await user.ask(getWeblinks, {}))[0];
  return { ...all, user, folder, linkUri, weblinkId, endpoint, ask, patch, begin, put, codeOf, own };
}

test('a stranger uploads into a folder by a share, in pieces, and two files of one name are both kept', async (t) => {
  const { folder, endpoint, own, put } = await letters(t);
  const film = randomBytes(17 * MiB + 3);
  await new Promise<void>((resolve, reject) => {
    const settings = { endpoint, chunkSize: 5 * MiB, metadata: { filename: 'film.mov', modified: '1700000000000' } };
    new Upload(film, { ...settings, onError: reject, onSuccess: () => resolve() }).start();
  });
  assert.ok((await readFile(join(folder, 'film.mov'))).equals(film));
  assert.deepEqual([await put('secret.txt', 'mine'), await put('empty', ''), await put('secret.txt', 'other')], [204, 201, 204]);
  assert.deepEqual((await readdir(folder)).sort(), ['empty', 'film.mov', 'secret 2.txt', 'secret 3.txt', 'secret.txt']);
  assert.equal(await readFile(join(folder, 'secret.txt'), 'utf8'), 'secret');
  assert.deepEqual([(await own())?.uploadOnly, (await own())?.nbrVisits], [true, 0]);
});

test('two large files of one name that arrive at the same time are both kept', async (t) => {
  const { folder, begin, patch } = await letters(t);
  const films = [randomBytes(16 * MiB + 1), randomBytes(16 * MiB + 2)];
  const begun = await Promise.all(films.map((film) => begin(film.byteLength, { name: 'IMG_1.MOV' })));
  await Promise.all(
    films.map(async (film, at) => {
      const answer = await patch(begun[at]?.headers.get('location') ?? '', 0, film);
      assert.equal(answer.status, 204, await answer.text());
    }),
  );
  const sizes = await Promise.all(['IMG_1.MOV', 'IMG_1 2.MOV'].map(async (name) => (await readFile(join(folder, name))).byteLength));
  assert.deepEqual(
    sizes.toSorted((a, b) => a - b),
    [16 * MiB + 1, 16 * MiB + 2],
  );
});

test('a share for uploads shows nothing of the folder', async (t) => {
  const { weblinkId, visitor, put } = await letters(t);
  const opened = await visitor().ask(openWeblink, { weblinkId });
  assert.deepEqual([opened.uploadOnly, opened.item], [true, { name: 'Letters', path: '', fileType: 'FOLDER' }]);
  await put('new.txt', 'x');
  const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
  assert.equal((await visitor().refusal(listWeblink, { weblinkId, ...view })).messageCode, 'WEBLINK_UPLOAD_ONLY');
  for (const call of [downloadWeblink, thumbnailWeblink])
    for (const path of ['secret.txt', 'new.txt', 'none.txt'])
      assert.equal((await visitor().send(call, { weblinkId, path, size: 256, inline: true })).statusCode, 403);
  assert.equal((await visitor().send(archiveWeblink, { weblinkId, path: [''] })).statusCode, 403);
});

test('uploads leave the folder of the share by no name, and go nowhere by other shares', async (t) => {
  const { user, folder, begin, linkUri, ask, put, codeOf, own } = await letters(t);
  for (const name of ['../x', '..', 'a/b', '', '.', `${'ä'.repeat(200)}`, '.sheaf-bin/x', 'a\u0000b'])
    assert.ok([400, 422].includes((await begin(1, { name })).status), name);
  assert.deepEqual(await readdir(join(folder, '..')), ['Letters']);
  // What else the metadata ask for does not count.
  assert.equal((await begin(0, { name: 'secret.txt', parentLinkUri: '/l/other', conflict: 'replace' })).status, 201);
  assert.equal(await readFile(join(folder, 'secret.txt'), 'utf8'), 'secret');
  await user.ask(createWeblink, { linkUri });
  const other = (await own())?.weblinkId ?? '';
  const asked = ask('POST', weblinkUploadsPath(other), { 'upload-length': '1', 'upload-metadata': metadata({ name: 'x' }) });
  assert.equal(await codeOf(asked), 'WEBLINK_NO_UPLOADS');
  // Another share, and its owner's own uploads, do not reach an upload.
  const location = (await begin(5, { name: 'slow.txt' })).headers.get('location') ?? '';
  const uploadId = idOf(location);
  assert.equal((await ask('HEAD', `${weblinkUploadsPath(other)}/${uploadId}`)).status, 403);
  assert.deepEqual((await user.ask(listUploads, {})).uploads, []);
  assert.equal(await put('next.txt', 'x'), 204);
  for (const uri of [`${linkUri}/secret.txt`])
    assert.equal((await user.refusal(createWeblink, { linkUri: uri, uploadOnly: true })).messageCode, 'NOT_A_FOLDER');
});

test('a password guards the uploads of a share', async (t) => {
  const { begin, codeOf, weblinkId, visitor, folder, patch } = await letters(t, { password: 'open sesame' });
  assert.equal(await codeOf(begin(1, { name: 'x' })), 'WEBLINK_PASSWORD_NEEDED');
  const guest = visitor();
  await guest.ask(openWeblink, { weblinkId, password: 'open sesame' });
  const cookie = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const begun = await begin(1, { name: 'x' }, { cookie });
  assert.equal(begun.status, 201);
  const location = begun.headers.get('location') ?? '';
  assert.equal(await codeOf(patch(location, 0, 'x')), 'WEBLINK_PASSWORD_NEEDED');
  assert.equal((await patch(location, 0, 'x', { cookie })).status, 204);
  assert.equal(await readFile(join(folder, 'x'), 'utf8'), 'x');
});

test('an upload ends with its share, and a sweep leaves nothing of it at the source', async (t) => {
  const { begin, patch, ask, user, weblinkId, folder, services } = await letters(t);
  const location = (await begin(20 * MiB, { name: 'film.mov' })).headers.get('location') ?? '';
  const endless = new Readable({ read: () => undefined });
  endless.push(randomBytes(17 * MiB));
  const sending = patch(location, 0, Readable.toWeb(endless) as ReadableStream).then(
    ({ status }) => status,
    () => 'cut',
  );
  await eventually(async () => (await readdir(folder)).length > 1, 'the first bytes are stored');
  await user.ask(removeWeblink, { webLinkId: weblinkId, rTag: user.session.rTag });
  assert.ok([404, 'cut'].includes(await sending));
  endless.destroy();
  assert.equal((await ask('HEAD', location)).status, 404);
  assert.equal((await services.db.selectFrom('upload').select('id').execute()).length, 1);
  await services.db.updateTable('upload').set({ expiresAt: 1 }).execute();
  await services.sweeps.uploads();
  assert.deepEqual(await readdir(folder), ['secret.txt']);
});

test('a share takes as many files as its owner allows, and its owner is told of uploads, not of visits', async (t) => {
  const stand = await letters(t, { downloadLimit: 2, notifies: true });
  const { user, weblinkId, visitor, put, own } = stand;
  const subjects = await newSubjects(stand, user.email);
  await visitor().ask(openWeblink, { weblinkId });
  assert.deepEqual(await subjects(), []);
  assert.deepEqual([await put('a.txt', 'a'), await put('b.txt', 'b'), await put('c.txt', 'c')], [204, 204, 410]);
  assert.deepEqual(await subjects(), ['Somebody uploaded files to Letters']);
  assert.equal((await own())?.downloads, 2);
  assert.equal((await visitor().refusal(openWeblink, { weblinkId })).messageCode, 'WEBLINK_USED_UP');
  await user.ask(updateWeblink, { weblinkUri: weblinkId, downloadLimit: 0 });
  assert.equal(await put('c.txt', 'c'), 204);
});

test('what one network begins and never ends is bounded', async (t) => {
  const { begin, services, weblinkId, codeOf, user } = await letters(t);
  assert.equal((await begin(1, { name: 'first' })).status, 201);
  const first = await services.db.selectFrom('upload').selectAll().executeTakeFirstOrThrow();
  assert.equal(first.weblinkId, weblinkId);
  const rest = Array.from({ length: limits.visitorsUploads.ofNetwork - 1 }, (_, at) => ({ ...first, id: `upload ${at}`, name: `f${at}` }));
  await services.db.insertInto('upload').values(rest).execute();
  assert.equal(await codeOf(begin(1, { name: 'last' })), 'TOO_MANY_CALLS');
  // Its owner may still upload.
  assert.deepEqual((await user.ask(listUploads, {})).uploads, []);
});

test('strangers of many networks who begin uploads and leave them keep nobody out: the one left longest ends', async (t) => {
  const { begin, ask, patch, services, folder } = await letters(t);
  const locationOf = async (size: number, name: string): Promise<string> =>
    (await begin(size, { name })).headers.get('location') ?? assert.fail('no Location');
  const arriving = await locationOf(4, 'arriving.txt');
  assert.equal((await patch(arriving, 0, 'ab')).status, 204);
  const { db } = services;
  const one = await db.selectFrom('upload').selectAll().executeTakeFirstOrThrow();
  // What arrives is not idle, however long ago it was stored that it does.
  await db
    .updateTable('upload')
    .set({ expiresAt: one.expiresAt - 9000 })
    .execute();
  const { ofShare } = limits.visitorsUploads;
  const left = Array.from({ length: ofShare - 1 }, (_, at) => ({
    ...one,
    id: `left ${at}`,
    name: `left ${at}`,
    visitor: `network ${at}`,
    expiresAt: one.expiresAt + (at === 7 ? -5000 : at),
  }));
  for (let at = 0; at < left.length; at += 500)
    await db
      .insertInto('upload')
      .values(left.slice(at, at + 500))
      .execute();
  const location = await locationOf(5, 'honest.txt');
  assert.equal((await patch(location, 0, 'hello')).status, 204);
  assert.equal(await readFile(join(folder, 'honest.txt'), 'utf8'), 'hello');
  const ids = (await db.selectFrom('upload').select('id').where('doneAt', 'is', null).execute()).map(({ id }) => id);
  assert.deepEqual([ids.length, ids.includes('left 7'), ids.includes('left 0')], [ofShare - 1, false, true]);
  assert.equal((await ask('HEAD', arriving)).headers.get('upload-offset'), '2');
  assert.equal((await patch(arriving, 2, 'cd')).status, 204);
});

test('an upload of a visitor is kept anew each time that it is continued', async (t) => {
  const { begin, patch, services } = await letters(t);
  const location = (await begin(3, { name: 'slow.txt' })).headers.get('location') ?? '';
  const { db } = services;
  const soon = Date.now() + 60_000;
  await db.updateTable('upload').set({ expiresAt: soon }).execute();
  assert.equal((await patch(location, 0, 'a')).status, 204);
  const { expiresAt } = await db.selectFrom('upload').select('expiresAt').executeTakeFirstOrThrow();
  assert.ok(expiresAt > soon);
});
