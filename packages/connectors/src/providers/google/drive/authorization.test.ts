import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { googledrive } from './index.ts';
import { ask, startDriveTest } from './testing/drive.ts';

const redirectUri = 'https://sheaf.example/oauth';
const provider = 'GoogleDrive';
const authorization = googledrive.authorization ?? assert.fail('Drive is linked by authorization');
const { signal } = ask();

describe('Authorization at Google Drive', () => {
  const { google, envOf, open } = startDriveTest();

  const env = (more: Record<string, string> = {}) => {
    const { dialer, app } = envOf();
    return { dialer, app: { ...app, ...more } };
  };
  /** Simulates the authorization at Google; returns the callback URL. */
  async function authorize(person: { readonly email: string } | 'declines' = { email: 'mara@example.org' }) {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = authorization.authorizeUrl({ provider, redirectUri, state: 'state', challenge, prompt: true }, env());
    const back = new URL(await google().oauth.visit(url, person));
    return { url: new URL(url), back, code: back.searchParams.get('code') ?? '', verifier };
  }

  test('a user authorizes Sheaf, is identified by id and e-mail address, and the files open', async () => {
    const { url, code, verifier, back } = await authorize();
    assert.equal(back.searchParams.get('state'), 'state');
    assert.equal(url.searchParams.get('scope'), 'https://www.googleapis.com/auth/drive');
    assert.equal(url.searchParams.get('access_type'), 'offline');
    const redeemed = await authorization.redeem({ provider, code, redirectUri, verifier }, env(), signal);
    assert.ok(redeemed.grant.refreshToken);
    assert.ok((redeemed.grant.expiresAt ?? 0) > Date.now());
    const info = await authorization.identify(redeemed, provider, env(), signal);
    assert.deepEqual(info, { accountId: '11750000000000000001', email: 'mara@example.org' });
    const config = googledrive.parse(info, provider);
    assert.equal(googledrive.account(config), 'mara@example.org');
    assert.equal(googledrive.identity(config), '11750000000000000001');
    assert.throws(() => googledrive.parse({}, provider), { kind: 'badConfig', details: { field: 'accountId' } });
  });

  test('a user who has authorized before is asked again, so that a refresh token is returned every time', async () => {
    for (let time = 0; time < 2; time++) {
      const { code, verifier } = await authorize();
      assert.ok((await authorization.redeem({ provider, code, redirectUri, verifier }, env(), signal)).grant.refreshToken);
    }
  });

  test('a user who declines returns without a code', async () => {
    const { back, code } = await authorize('declines');
    assert.equal(code, '');
    assert.equal(back.searchParams.get('error'), 'access_denied');
  });

  test('a code is refused the second time, with another verifier, and by another application', async () => {
    const { code, verifier } = await authorize();
    const other = await authorize();
    await authorization.redeem({ provider, code, redirectUri, verifier }, env(), signal);
    await assert.rejects(authorization.redeem({ provider, code, redirectUri, verifier }, env(), signal), { kind: 'unauthorized' });
    await assert.rejects(authorization.redeem({ provider, code: other.code, redirectUri, verifier }, env(), signal), {
      kind: 'unauthorized',
    });
    const wrong = env({ clientSecret: 'wrong' });
    await assert.rejects(authorization.redeem({ provider, code: other.code, redirectUri, verifier: other.verifier }, wrong, signal), {
      kind: 'appRefused',
    });
  });

  test('a grant without the requested scope is forbidden', async () => {
    const redeemed = { grant: { accessToken: 'any' }, extra: { scope: 'openid email' } };
    await assert.rejects(async () => authorization.identify(redeemed, provider, env(), signal), { kind: 'forbidden' });
  });

  test('a grant is renewed and keeps its refresh token, until the user or Sheaf revokes it', async () => {
    const { accessToken, refreshToken = '' } = google().oauth.grant('mara@example.org', ['https://www.googleapis.com/auth/drive']);
    const renewed = await authorization.renew?.({ accessToken, refreshToken }, provider, env(), signal);
    assert.equal(renewed?.refreshToken, refreshToken);
    assert.notEqual(renewed.accessToken, accessToken);
    await authorization.revoke?.(renewed, provider, env(), signal);
    await assert.rejects(async () => authorization.renew?.(renewed, provider, env(), signal), { kind: 'needsAuthorization' });
    await authorization.revoke?.(renewed, provider, env(), signal);
  });

  test('a link whose grant was revoked needs authorization', async () => {
    const connector = open(envOf('theo@example.org'));
    await connector.stat('/', ask());
    await Array.fromAsync(connector.list('/', ask()));
    google().oauth.revokeAccount('theo@example.org');
    await assert.rejects(Array.fromAsync(connector.list('/', ask())), { kind: 'needsAuthorization' });
  });

  test('a token without the scope needs authorization, and a read-only one cannot write', async () => {
    const blind = open(envOf('mara@example.org', ['openid']));
    await assert.rejects(Array.fromAsync(blind.list('/', ask())), { kind: 'needsAuthorization' });
    const reader = open(envOf('mara@example.org', ['https://www.googleapis.com/auth/drive.readonly']));
    await Array.fromAsync(reader.list('/', ask()));
    await assert.rejects(async () => reader.createFolder?.('/new', ask()), { kind: 'needsAuthorization' });
  });
});
