import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '#/testing/app.ts';

test('a request with an unknown host name is refused, so that DNS rebinding reads nothing', async (t) => {
  const { app } = await testApp(t, {
    settings: { SHEAF_PUBLIC_URL: 'https://files.example.org', SHEAF_ALLOWED_HOSTS: 'sheaf, inner.example' },
  });
  const statusOf = async (host: string, url = '/rest/session/info'): Promise<number> =>
    (await app.inject({ method: 'GET', url, headers: { host } })).statusCode;
  for (const host of [
    'evil.example',
    'evil.example:8180',
    'files.example.org.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '[evil]',
  ])
    assert.equal(await statusOf(host), 421, host);
  for (const host of [
    'files.example.org',
    'FILES.example.org:443',
    'files.example.org.',
    'localhost:8180',
    '127.0.0.1:8180',
    '[::1]:8180',
    'sheaf:8180',
    'inner.example',
  ])
    assert.equal(await statusOf(host), 200, host);
  assert.equal(await statusOf('10.42.0.7:8180', '/healthz'), 200);
  assert.equal(await statusOf('anything.internal', '/healthz'), 200);
});

test('a forwarded name does not replace the Host header', async (t) => {
  const { app } = await testApp(t, { settings: { SHEAF_TRUSTED_PROXIES: '127.0.0.1' } });
  const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
  assert.equal((await app.inject({ method: 'GET', url: '/rest/session/info', headers })).statusCode, 421);
});
