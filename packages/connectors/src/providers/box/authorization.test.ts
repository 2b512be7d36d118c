import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Box, startBox } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { authorization } from './authorization.ts';
import { box } from './index.ts';
import { ask, grantedEnv, openMara } from './testing/link.ts';

const redirectUri = 'http://127.0.0.1:1/oauth';
const { signal } = ask();

async function started(run: (simulator: Box) => Promise<void>): Promise<void> {
  const simulator = await startBox({ redirectUris: [redirectUri] });
  try {
    await run(simulator);
    simulator.assertClean();
  } finally {
    await simulator.stop();
  }
}

/** Simulates the browser: visits the provider's page and returns with a code. */
async function allowed(simulator: Box, email: string) {
  const env = testEnv({ app: simulator.app });
  const url = authorization.authorizeUrl({ provider: 'Box', redirectUri, state: 's1', challenge: 'unused', prompt: true }, env);
  assert.ok(!url.includes('challenge') && !url.includes('scope'));
  const back = new URL(await simulator.oauth.visit(url, { email }));
  assert.equal(back.searchParams.get('state'), 's1');
  return { env, code: { provider: 'Box', code: back.searchParams.get('code') ?? '', redirectUri, verifier: 'unused' } };
}

test("a user who authorizes Sheaf gets a link to that user's account", () =>
  started(async (simulator) => {
    const { env, code } = await allowed(simulator, 'noor@example.org');
    const redeemed = await authorization.redeem(code, env, signal);
    assert.ok(redeemed.grant.refreshToken && redeemed.grant.expiresAt);
    const config = box.parse(await authorization.identify(redeemed, 'Box', env, signal), 'Box');
    assert.deepEqual([box.account(config), box.identity(config)], ['noor@example.org', 'box 11446505']);
    await assert.rejects(authorization.redeem(code, env, signal), { kind: 'unauthorized' });
  }));

test('each renewal gives another refresh token, and using an old one ends the grant', () =>
  started(async (simulator) => {
    const { grant, env } = grantedEnv(simulator);
    const renewed = await authorization.renew?.(grant, 'Box', env, signal);
    assert.ok(renewed?.refreshToken && renewed.refreshToken !== grant.refreshToken);
    await assert.rejects(async () => authorization.renew?.(grant, 'Box', env, signal), { kind: 'needsAuthorization' });
    await assert.rejects(async () => authorization.renew?.(renewed, 'Box', env, signal), { kind: 'needsAuthorization' });
  }));

test('twenty concurrent requests with an expired token renew it once', () =>
  started(async (simulator) => {
    const connector = await openMara(simulator);
    simulator.oauth.expireAll();
    await Promise.all(Array.from({ length: 20 }, () => connector.stat('/Welcome.txt', ask())));
    assert.deepEqual([simulator.oauth.refreshes(), simulator.oauth.refusedRefreshes()], [1, 0]);
    simulator.oauth.revokeAccount('mara@example.org');
    await assert.rejects(connector.read('/Welcome.txt', ask()), { kind: 'needsAuthorization' });
    await connector.close();
  }));

test('revoking ends the refresh token', () =>
  started(async (simulator) => {
    const { grant, env } = grantedEnv(simulator);
    await authorization.revoke?.(grant, 'Box', env, signal);
    await assert.rejects(async () => authorization.renew?.(grant, 'Box', env, signal), { kind: 'needsAuthorization' });
  }));

test('a wrong client secret is reported as the application refused, and connection info without an account is badConfig', () =>
  started(async (simulator) => {
    const { env, code } = await allowed(simulator, 'mara@example.org');
    const wrong = { ...env, app: { ...simulator.app, clientSecret: 'wrong' } };
    await assert.rejects(authorization.redeem(code, wrong, signal), { kind: 'appRefused' });
    assert.throws(() => box.parse({ userId: '1' }, 'Box'), { kind: 'badConfig', details: { field: 'login' } });
  }));

test('an application that may only read reads, and is forbidden to write', () =>
  started(async (simulator) => {
    const reader = await openMara(simulator, ['root_readonly']);
    assert.equal((await reader.stat('/Work/2026/Report.md', ask())).kind, 'file');
    await assert.rejects(async () => reader.createFolder?.('/new', ask()), { kind: 'forbidden' });
    await reader.close();
  }));
