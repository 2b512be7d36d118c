import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createAppPassword } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';
import { s3Client } from '../s3/testing/client.ts';
import { createPropertyStore } from './state/property-store.ts';

/** Sheaf with a link "nas", and a program with an app password for it. */
async function program(t: TestContext) {
  const app = await linkApp(t);
  const { userLinkId } = await addSftp(app.user, 'nas');
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const made = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const authorization = `Basic ${Buffer.from(`${made.username}:${made.password}`).toString('base64')}`;
  const ask = async (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${url}/dav/nas${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return { ...app, userLinkId, made, url, ask, s3: s3Client(url, made) };
}

const set = (content: string): string => `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${content}</D:prop></D:set></D:propertyupdate>`;
const namespaces = (count: number, mark: string): string =>
  Array.from({ length: count }, (_, index) => `xmlns:p${mark}${index}="u"`).join(' ');

/** The longest time, in milliseconds, for which nothing else ran. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 10));
  clearInterval(timer);
  return longest;
}

test('nested elements that each declare prefixes do not block the server', async (t) => {
  const { ask, s3, source } = await program(t);
  source.put('/a.txt', 'hello');
  const around = Array.from({ length: 30 }, (_, depth) => `<a ${namespaces(3000, `${depth}x`)}>`).join('');
  const paused = await longestPause(async () => {
    const property = `<x:y xmlns:x="urn:x" ${namespaces(2500, '')}>${'<z xmlns:q="u"/>'.repeat(3000)}</x:y>`;
    assert.equal((await ask('PROPPATCH', '/a.txt', set(property))).status, 207);
    const body = `${around}${'<b xmlns:q="u"/>'.repeat(4900)}${'</a>'.repeat(30)}`;
    assert.equal(await s3.status({ method: 'POST', path: '/nas', query: 'delete=', body }), 400);
  });
  // Copying the prefixes for each element takes twenty seconds, and some gigabytes.
  assert.ok(paused < 8000, `${paused} ms`);
});

test('values that are no XML are refused before they are stored', async (t) => {
  const { ask, source } = await program(t);
  source.put('/a.txt', 'hello');
  const lock = (owner: string): string =>
    `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>${owner}</D:owner></D:lockinfo>`;
  for (const wrong of [
    '<a<b xmlns="urn:x"/>',
    '<a"b xmlns="urn:x"/>',
    '<1a xmlns="urn:x"/>',
    '<x:a xmlns:x="urn:x" b&amp;c="d"/>',
    '<x:a xmlns:x="urn:x" y:b="c"/>',
    '<x:a xmlns:x="urn:x">\u0001</x:a>',
    '<x:a xmlns:x="urn:x">\ufffe</x:a>',
    '<constructor:a/>',
    '<x:a xmlns:x="urn:x" constructor:b="c"/>',
  ]) {
    assert.equal((await ask('PROPPATCH', '/a.txt', set(wrong))).status, 400, wrong);
    assert.equal((await ask('LOCK', '/a.txt', lock(wrong))).status, 400, wrong);
  }
  const kept = '<x:größe xmlns:x="urn:x" y:b="&lt;1&gt;" xmlns:y="urn:y" xml:lang="de">é<x:z-1.2/></x:größe>';
  assert.equal((await ask('PROPPATCH', '/a.txt', set(kept))).status, 207);
  const { text } = await ask('PROPFIND', '/', undefined, { depth: '1' });
  assert.match(text, /<größe xmlns="urn:x" xmlns:a0="urn:y" a0:b="&lt;1&gt;" xml:lang="de">é<z-1\.2 xmlns="urn:x"\/><\/größe>/);
});

test('properties and locks take no more room than a listing of their folder can hold in memory', async (t) => {
  const { ask, source, services, user, userLinkId } = await program(t);
  source.put('/a.txt', 'hello');
  const large = (name: string, bytes: number): string => set(`<x:${name} xmlns:x="urn:x">${'v'.repeat(bytes)}</x:${name}>`);
  const isSet = async (path: string, body: string): Promise<boolean> => (await ask('PROPPATCH', path, body)).text.includes(' 200 OK');
  assert.equal(await isSet('/a.txt', large('one', 12_000)), true);
  assert.equal(await isSet('/a.txt', large('two', 12_000)), false);
  assert.equal(await isSet('/a.txt', large('one', 16_000)), true);
  const lock = (owner: string): string =>
    `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>${owner}</D:owner></D:lockinfo>`;
  assert.equal((await ask('LOCK', '/a.txt', lock('o'.repeat(1025)))).status, 413);
  // As many as an account may have but one, put there directly.
  const rows = Array.from({ length: 4999 }, (_, index) => ({
    linkId: userLinkId,
    path: `/new-${index}`,
    token: `urn:uuid:${index}`,
    accountId: user.userId,
    isShared: 1,
    isDeep: 0,
    owner: 'me',
    seconds: 3600,
    expiresAt: Math.trunc(Date.now() / 1000) + 3600,
  }));
  while (rows.length > 0) await services.db.insertInto('dav_lock').values(rows.splice(0, 500)).execute();
  assert.equal((await ask('LOCK', '/last', lock('me'))).status, 201);
  assert.equal((await ask('LOCK', '/another', lock('me'))).status, 507);
});

test('copies bring no more properties into a link than it may have', async (t) => {
  const { ask, source, services, userLinkId } = await program(t);
  for (let index = 0; index < 10; index++) source.put(`/from/${index}.txt`, 'hello');
  // As many as fit, put there directly: setting them takes a thousand requests.
  const value = 'v'.repeat(16_000);
  const store = createPropertyStore(services.db);
  for (let index = 0; index < 600; index++) {
    const isKept = await store.change(userLinkId, `/from/${index}.txt`, [{ space: 'urn:x', name: 'y', value }]);
    assert.equal(isKept, true);
  }
  assert.equal((await ask('COPY', '/from', undefined, { destination: '/dav/nas/to' })).status, 201);
  assert.deepEqual(await store.of(userLinkId, '/to/1.txt'), []);
  assert.equal((await store.of(userLinkId, '/from/1.txt')).length, 1);
  assert.equal((await ask('MOVE', '/from', undefined, { destination: '/dav/nas/moved' })).status, 201);
  assert.deepEqual([(await store.of(userLinkId, '/from/1.txt')).length, (await store.of(userLinkId, '/moved/1.txt')).length], [0, 1]);
});

test('properties go with an item in a folder whose name has characters of two UTF-16 units, and are deleted with it', async (t) => {
  const { ask, source } = await program(t);
  source.put('/📷📷/a.txt', 'hello');
  const [from, to] = ['/%F0%9F%93%B7%F0%9F%93%B7', '/%F0%9F%93%B8'];
  assert.equal((await ask('PROPPATCH', `${from}/a.txt`, set('<x:y xmlns:x="urn:x">mine</x:y>'))).status, 207);
  assert.equal((await ask('MOVE', from, undefined, { destination: `/dav/nas${to}` })).status, 201);
  assert.match((await ask('PROPFIND', `${to}/a.txt`, undefined, { depth: '0' })).text, /mine/);
  assert.equal((await ask('DELETE', to)).status, 204);
  source.put('/📸/a.txt', 'of somebody else');
  assert.doesNotMatch((await ask('PROPFIND', `${to}/a.txt`, undefined, { depth: '0' })).text, /mine/);
});

test('a listing with thousands of requested properties does not block the server', async (t) => {
  const { ask, source } = await program(t);
  for (let index = 0; index < 1000; index++) source.put(`/many/${index}.txt`, 'hello');
  await ask('PROPFIND', '/many', undefined, { depth: '1' });
  const names = Array.from({ length: 4000 }, (_, index) => `<x:p${index}/>`).join('');
  const wanted = `<D:propfind xmlns:D="DAV:" xmlns:x="urn:a-namespace-of-some-length"><D:prop>${names}</D:prop></D:propfind>`;
  const paused = await longestPause(async () => {
    const { status } = await ask('PROPFIND', '/many', wanted, { depth: '1' });
    assert.equal(status, 400);
    const few = `<D:propfind xmlns:D="DAV:"><D:prop>${names.slice(0, names.indexOf('<x:p200/>')).replaceAll('x:', '')}</D:prop></D:propfind>`;
    assert.equal((await ask('PROPFIND', '/many', few, { depth: '1' })).status, 207);
  });
  assert.ok(paused < 1000, `${paused} ms`);
});
