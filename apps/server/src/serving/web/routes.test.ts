import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { routes } from '@sheaf/contract';
import { type FastifyInstance, fastify } from 'fastify';
import { answerErrors } from '#/platform/http/on-error.ts';
import { webRoutes } from './routes.ts';

const page = '<!doctype html><title>Sheaf</title>';
const sharePage = '<!doctype html><title>A share</title>';
const script = `export const text = '${'x'.repeat(5000)}';`;

async function appWithPages(t: TestContext): Promise<FastifyInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'share.html'), sharePage);
  await writeFile(join(folder, '.built-from'), 'hidden');
  await writeFile(join(folder, 'assets/main-abc.js'), script);
  await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'assets/main-abc.js.gz'), gzipSync(script));
  const app = fastify();
  answerErrors(app);
  webRoutes(app, folder, async (weblinkId) => weblinkId === 'x' || weblinkId === 'some');
  t.after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  return app;
}

test('every page of the route map answers 200 with the app or the page of a share, every other path 404 with the app [RT-003]', async (t) => {
  const app = await appWithPages(t);
  for (const { pattern } of routes) {
    const url = pattern.replace('*', 'some/path').replace(/\/:\w+\??/, '/x');
    const answer = await app.inject({ url: `${url}?a=1` });
    assert.deepEqual([answer.statusCode, answer.body], [200, pattern.startsWith('/s/') ? sharePage : page], url);
  }
  for (const url of [
    '/nowhere',
    '/download/x',
    '/assets/gone.js',
    '/assets/main-abc.js.br',
    '/assets/',
    '/assets',
    '//assets/main-abc.js',
    '/.built-from',
    '/../package.json',
    '/%2e%2e/package.json',
    '/index.html',
    '/share.html',
  ]) {
    const answer = await app.inject({ url });
    assert.deepEqual([answer.statusCode, answer.body], [404, page], url);
  }
});

test('a path without its /link/auth prefix leads to the page there, with its query; an unknown one does not [RT-015] [RT-019] [RT-022]', async (t) => {
  const app = await appWithPages(t);
  for (const [url, location] of [
    ['/connectionerror', '/link/auth/connectionerror'],
    ['/desktopsuccess', '/link/auth/desktopsuccess'],
    ['/desktopsuccess/box?handoffToken=h', '/link/auth/desktopsuccess/box?handoffToken=h'],
    ['/ftp?userLinkId=a%20b', '/link/auth/ftp?userLinkId=a%20b'],
    ['/sheafgateway/', '/link/auth/sheafgateway/'],
  ] as const) {
    const answer = await app.inject({ url });
    assert.deepEqual([answer.statusCode, answer.headers.location], [302, location], url);
  }
  for (const url of ['/FTP', '/ftp/x', '/desktopsuccess/a/b', '//ftp', '/auth/ftp'])
    assert.equal((await app.inject({ url })).statusCode, 404, url);
});

test('the page of a missing share answers 404, whatever follows its address', async (t) => {
  const app = await appWithPages(t);
  for (const url of ['/s/x', '/s/x/a%20folder?file=b', '/s/g/x', '/s/x/']) {
    const answer = await app.inject({ url });
    assert.deepEqual([answer.statusCode, answer.body], [200, sharePage], url);
  }
  for (const url of ['/s/gone', '/s/gone/x', '/s/g/gone', '/s/g']) {
    const answer = await app.inject({ url, headers: { 'if-none-match': '*' } });
    assert.deepEqual([answer.statusCode, answer.body], [404, sharePage], url);
  }
});

test('files named by their content are cached for ever, the page is revalidated each time', async (t) => {
  const app = await appWithPages(t);
  const asset = await app.inject({ url: '/assets/main-abc.js' });
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.match(String(asset.headers['content-type']), /^text\/javascript/);
  const first = await app.inject({ url: '/' });
  assert.equal(first.headers['cache-control'], 'no-cache');
  const again = await app.inject({ url: '/', headers: { 'if-none-match': first.headers.etag } });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});

test('scripts are sent compressed if the browser accepts it', async (t) => {
  const app = await appWithPages(t);
  const packed = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), script);
  const zipped = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()], ['gzip', script]);
  for (const { headers } of [packed, zipped]) {
    assert.match(String(headers['content-type']), /^text\/javascript/);
    assert.deepEqual([headers.vary, headers['cache-control']], ['accept-encoding', 'public, max-age=31536000, immutable']);
  }
  const refused = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } });
  assert.equal(refused.headers['content-encoding'], undefined);
  assert.equal(refused.body, script);
});

test('the start of a sign-in by e-mail is a page', async (t) => {
  const app = await appWithPages(t);
  assert.equal((await app.inject({ url: '/login/start?provider=email' })).body, page);
});

test('the start of a sign-in with a provider continues whatever its address holds: of a repeated name the first counts', async (t) => {
  const app = await appWithPages(t);
  const answer = await app.inject({
    url: '/login/start?provider=google&redirectUrl=/links&redirectUrl=//evil.example&cancelUrl=a&cancelUrl=b&flowOrigin=nowhere',
  });
  assert.equal(answer.headers.location, '/login/with/google?redirectUrl=%2Flinks&cancelUrl=%2F');
});

test('without a built app the server says what to do', async (t) => {
  const app = fastify();
  webRoutes(app, '/nonexistent', async () => true);
  t.after(() => app.close());
  const answer = await app.inject({ url: '/' });
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm start/);
});
