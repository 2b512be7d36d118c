import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type Dropbox, startDropbox } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import type { Definition } from '../../core/definition.ts';
import type { DropboxConfig } from './config.ts';
import { dropbox, dropboxTeams } from './index.ts';
import { ask, grantedEnv } from './testing/link.ts';

const redirectUri = 'http://127.0.0.1:1/oauth';
const { signal } = ask();

async function started(run: (simulator: Dropbox) => Promise<void>): Promise<void> {
  const simulator = await startDropbox({ redirectUris: [redirectUri] });
  try {
    await run(simulator);
    simulator.assertClean();
  } finally {
    await simulator.stop();
  }
}

const authorizationOf = ({ authorization }: Definition<DropboxConfig>) => authorization ?? assert.fail('no authorization');

/** Simulates the browser: visits the provider's page and returns with a code. */
async function allowed(simulator: Dropbox, definition: Definition<DropboxConfig>, email: string) {
  const authorization = authorizationOf(definition);
  const env = testEnv({ app: simulator.app });
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const provider = definition.id;
  const url = authorization.authorizeUrl({ provider, redirectUri, state: 's1', challenge, prompt: true }, env);
  const back = new URL(await simulator.oauth.visit(url, { email }));
  assert.equal(back.searchParams.get('state'), 's1');
  return { authorization, env, provider, code: back.searchParams.get('code') ?? '', redirectUri, verifier };
}

test("a user who authorizes Sheaf gets a link to that user's account, and only the scopes that it uses are requested", () =>
  started(async (simulator) => {
    const { authorization, env, ...code } = await allowed(simulator, dropbox, 'mara@example.org');
    const redeemed = await authorization.redeem(code, env, signal);
    assert.ok(redeemed.grant.refreshToken && redeemed.grant.expiresAt);
    assert.equal(redeemed.extra['scope'], 'account_info.read files.metadata.read files.content.read files.content.write');
    const info = await authorization.identify(redeemed, 'Dropbox', env, signal);
    const config = dropbox.parse(info, 'Dropbox');
    assert.equal(dropbox.account(config), 'mara@example.org');
    assert.equal(dropbox.identity(config), `dropbox ${info['accountId']}`);
    assert.equal(config.root, undefined);
    await assert.rejects(authorization.redeem(code, env, signal), { kind: 'unauthorized' });
  }));

test('an administrator who authorizes Sheaf gets a link of the team that acts as the administrator', () =>
  started(async (simulator) => {
    const { authorization, env, ...code } = await allowed(simulator, dropboxTeams, 'noor@example.org');
    const redeemed = await authorization.redeem(code, env, signal);
    const info = await authorization.identify(redeemed, 'DropboxTeams', env, signal);
    const config = dropboxTeams.parse(info, 'DropboxTeams');
    assert.deepEqual([config.email, config.root], ['noor@example.org', '2000']);
    assert.match(dropboxTeams.identity(config), /^dropboxteams dbtid:Example dbmid:/);
  }));

test('a user who is not an administrator of a team gets an accountKind error for Dropbox Business', () =>
  started(async (simulator) => {
    const { authorization, env, ...code } = await allowed(simulator, dropboxTeams, 'mara@example.org');
    const redeemed = await authorization.redeem(code, env, signal);
    await assert.rejects(authorization.identify(redeemed, 'DropboxTeams', env, signal), { kind: 'accountKind' });
  }));

test('a grant is renewed with a permanent refresh token, but not after it was revoked', () =>
  started(async (simulator) => {
    const { grant, env } = grantedEnv(simulator, dropbox, 'mara@example.org');
    const authorization = authorizationOf(dropbox);
    const renewed = await authorization.renew?.(grant, 'Dropbox', env, signal);
    assert.equal(renewed?.refreshToken, grant.refreshToken);
    assert.notEqual(renewed?.accessToken, grant.accessToken);
    simulator.oauth.revokeAccount('mara@example.org');
    await assert.rejects(async () => authorization.renew?.(grant, 'Dropbox', env, signal), { kind: 'needsAuthorization' });
  }));

test('revoking ends the refresh token too, even if the access token has expired before', () =>
  started(async (simulator) => {
    for (const definition of [dropbox, dropboxTeams])
      for (const expires of [false, true]) {
        const authorization = authorizationOf(definition);
        const { grant, env } = grantedEnv(simulator, definition, 'noor@example.org');
        if (expires) simulator.oauth.expireAll();
        await authorization.revoke?.(grant, definition.id, env, signal);
        await assert.rejects(async () => authorization.renew?.(grant, definition.id, env, signal), { kind: 'needsAuthorization' });
      }
  }));

test('a wrong client secret is reported as the application refused, not the user', () =>
  started(async (simulator) => {
    const { authorization, env, ...code } = await allowed(simulator, dropbox, 'mara@example.org');
    const wrong = { ...env, app: { ...simulator.app, clientSecret: 'wrong' } };
    await assert.rejects(authorization.redeem(code, wrong, signal), { kind: 'appRefused' });
  }));

test('connection info without an account is badConfig', () => {
  assert.throws(() => dropbox.parse({ email: 'a@b' }, 'Dropbox'), { kind: 'badConfig', details: { field: 'accountId' } });
  assert.throws(() => dropboxTeams.parse({ teamId: 't', memberId: 'm' }, 'DropboxTeams'), { kind: 'badConfig' });
});
