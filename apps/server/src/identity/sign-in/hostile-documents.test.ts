import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type Visitor, testApp } from '#/testing/app.ts';
import { type Document, startHostileOidc } from './testing/hostile-oidc.ts';

const publicUrl = 'http://sheaf.test';
const mebibyte = 1024 * 1024;

/** Sheaf with one provider that answers as the test wants. */
async function attacked(t: TestContext) {
  const hostile = await startHostileOidc('sheaf');
  t.after(() => hostile.stop());
  const settings = {
    SHEAF_PUBLIC_URL: publicUrl,
    SHEAF_OIDC_COMPANY_ISSUER_URL: hostile.issuer,
    SHEAF_OIDC_COMPANY_CLIENT_ID: 'sheaf',
    SHEAF_OIDC_COMPANY_SIGNUP: 'allow',
  };
  const app = await testApp(t, { settings });
  await app.services.accounts.create({ name: 'Olga', email: 'operator@example.org', passwordHash: null, verified: true });
  const follow = async (browser: Visitor, url: string): Promise<string> => {
    const response = await browser.inject({ url: url.replace(publicUrl, '') });
    assert.equal(response.statusCode, 302, response.body);
    return response.headers.location ?? '';
  };
  /** Where a sign-in ends. */
  async function signIn(): Promise<string> {
    const browser = app.visitor();
    const away = await follow(browser, '/login/with/company');
    return away.startsWith('/') ? away : follow(browser, hostile.answer(away));
  }
  async function signOut(): Promise<number> {
    const { statusCode } = await app.visitor().inject({
      method: 'POST',
      url: '/login/with/company/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `logout_token=${hostile.logoutToken({}, {})}`,
    });
    return statusCode;
  }
  return { hostile, signIn, signOut };
}

const json = (response: ServerResponse): ServerResponse => response.writeHead(200, { 'content-type': 'application/json' });
/** Sends 64 KiB at a time as long as they are read; `sent` has the bytes so far. */
function endless(sent: { bytes: number }) {
  const piece = Buffer.alloc(65_536, ' ');
  return (response: ServerResponse): void => {
    const source = new Readable({
      read() {
        sent.bytes += piece.length;
        this.push(piece);
      },
    });
    response.on('close', () => source.destroy());
    source.pipe(json(response));
  };
}
const deep = (response: ServerResponse): void => void json(response).end('['.repeat(400_000) + ']'.repeat(400_000));
const failed = /^\/login\/(connectionerror|unexpectederror)$/;
const elsewhere = (response: ServerResponse): void => void response.writeHead(302, { location: '/elsewhere' }).end();

for (const document of ['/.well-known/openid-configuration', '/keys', '/token', '/userinfo'] as const satisfies readonly Document[])
  test(`a provider's ${document} that never ends, is deeply nested or redirects ends the sign-in, and nothing else`, async (t) => {
    const { hostile, signIn, signOut } = await attacked(t);
    // Without an address in the ID token, UserInfo is asked for it.
    const without = document === '/userinfo' ? ['email'] : [];
    const sent = { bytes: 0 };
    hostile.lie({ without, answer: { [document]: endless(sent) } });
    assert.match(await signIn(), failed);
    assert.ok(sent.bytes > 0 && sent.bytes < 16 * mebibyte, `${sent.bytes} bytes were read`);

    hostile.lie({ without, answer: { [document]: deep } });
    assert.match(await signIn(), failed);

    hostile.lie({ without, answer: { [document]: elsewhere } });
    assert.match(await signIn(), failed);
    assert.ok(!hostile.asks.includes('/elsewhere'), 'no redirect is followed');

    if (document === '/keys') {
      sent.bytes = 0;
      hostile.lie({ answer: { [document]: endless(sent) } });
      assert.equal(await signOut(), 400);
      assert.ok(sent.bytes > 0 && sent.bytes < 16 * mebibyte, `${sent.bytes} bytes were read`);
    }
    hostile.lie({});
    assert.equal(await signIn(), '/login/websuccess', 'an honest answer signs in afterwards');
  });
