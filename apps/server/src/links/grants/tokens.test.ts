import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDialer } from '@sheaf/connectors';
import { eventually } from '@sheaf/testbed';
import { createConnectionStore } from '#/links/connections/store.ts';
import { createLog } from '#/platform/log.ts';
import { masterKeys } from '#/secrets/master-key.ts';
import { resealSecrets, secretPlace } from '#/secrets/reseal.ts';
import { createVault } from '#/secrets/vault.ts';
import { createServices } from '#/services.ts';
import { rowsOf } from '#/testing/links.ts';
import { authorize, driveApp, mara } from '#/testing/storages/drive.ts';
import { createGrantStore } from './grant-store.ts';
import { grantField, readGrant } from './grant.ts';
import { createLinkTokens } from './tokens.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });

async function linked(t: TestContext, options: Parameters<typeof driveApp>[1] = {}) {
  const app = await driveApp(t, options);
  await authorize(app);
  const [link] = await rowsOf(app.user);
  assert.ok(link);
  const { services, user, drive } = app;
  const { db } = services.database;
  const linkId = link.userLinkId;
  const keys = await masterKeys(services.config);
  const vault = createVault(keys.current);
  const { authorization } = drive.definition;
  assert.ok(authorization);
  const env = { dialer: createDialer({ privateNetworks: 'allow' }), app: services.config.providers['dropbox'] ?? {} };
  return {
    ...app,
    linkId,
    keys,
    granted: { linkId, provider: 'Dropbox', authorization, env },
    store: createGrantStore(db),
    stored: async (opener = vault) =>
      readGrant(opener.open(secretPlace(linkId, grantField), (await createGrantStore(db).sealedOf(linkId)) ?? '')),
    connector: async (of = services) => (await of.connections.open(user.userId, linkId)).connector,
    secondInstance: () =>
      createServices(services.config, createLog('silent'), { schedules: false, findDefinition: async () => drive.definition }),
  };
}

test('twenty calls at the same moment on two instances renew an expired grant once, although its refresh token works once', async (t) => {
  const { connector, drive, secondInstance, stored } = await linked(t);
  const second = await secondInstance();
  try {
    const both = [await connector(), await connector(second)];
    await Promise.all(both.map((one) => one.stat('/', ask())));
    drive.oauth.slowToken(300);
    for (let round = 1; round <= 3; round++) {
      const before = await stored();
      drive.oauth.expireAll();
      const calls = both.flatMap((one) => Array.from({ length: 10 }, () => one.stat('/', ask())));
      for (const { kind } of await Promise.all(calls)) assert.equal(kind, 'folder');
      assert.equal(drive.oauth.refreshes(), round);
      assert.notEqual((await stored()).refreshToken, before.refreshToken);
    }
    assert.equal(drive.oauth.refusedRefreshes(), 0);
  } finally {
    await second.close();
  }
});

test('a grant is renewed before it expires: the provider never sees an expired token', async (t) => {
  const { connector, drive } = await linked(t, { accessSeconds: 90 });
  await (await connector()).stat('/', ask());
  assert.ok(drive.oauth.refreshes() >= 1);
  assert.ok(drive.simulator.requests.every(({ status }) => status !== 401));
});

test('a renewed grant is stored before its token is used, so a restart continues with it', async (t) => {
  const { connector, drive, secondInstance, stored } = await linked(t);
  drive.oauth.expireAll();
  await (await connector()).stat('/', ask());
  const { accessToken } = await stored();
  const second = await secondInstance();
  try {
    await (await connector(second)).stat('/', ask());
  } finally {
    await second.close();
  }
  assert.equal((await stored()).accessToken, accessToken);
  assert.equal(drive.oauth.refreshes(), 1);
});

test('a renewal that another instance left unfinished is taken over when its lease expires, and not before', async (t) => {
  const { connector, drive, store, linkId } = await linked(t);
  drive.oauth.expireAll();
  const begun = Date.now();
  assert.ok(await store.takeLease(linkId, 'an instance that died', begun, begun + 700));
  assert.equal(await store.takeLease(linkId, 'too early', begun + 699, begun + 2000), false);
  await (await connector()).stat('/', ask());
  assert.ok(Date.now() - begun >= 700);
  assert.equal(drive.oauth.refreshes(), 1);
});

test('an instance that waits uses the token stored by the other one and requests none', async (t) => {
  const { drive, store, linkId, granted, services, stored } = await linked(t);
  const vault = createVault((await masterKeys(services.config)).current);
  const tokens = createLinkTokens({ store, vault });
  const { accessToken: outdated } = await stored();
  await store.takeLease(linkId, 'another', Date.now(), Date.now() + 10_000);
  const waiting = tokens.of(granted).access(AbortSignal.timeout(20_000), outdated);
  const sealed = await store.sealedOf(linkId);
  const newer = vault.seal(secretPlace(linkId, grantField), JSON.stringify({ accessToken: 'newer', expiresAt: Date.now() + 3_600_000 }));
  assert.ok(await store.replace(linkId, sealed ?? '', newer));
  assert.equal(await waiting, 'newer');
  assert.equal(drive.oauth.refreshes(), 0);
});

test('changing the master key during a renewal does not lose the grant', async (t) => {
  const { drive, store, granted, keys, services, stored } = await linked(t);
  const vault = createVault(Buffer.alloc(32, 7), [keys.current]);
  const tokens = createLinkTokens({ store, vault });
  const { accessToken: outdated } = await stored();
  const changed = Promise.withResolvers<void>();
  drive.oauth.holdTokens(changed.promise);
  const renewing = tokens.of(granted).access(AbortSignal.timeout(20_000), outdated);
  await eventually(() => drive.oauth.refreshes() > 0, 'the renewal has begun');
  assert.equal((await resealSecrets(createConnectionStore(services.database.db), vault)).sealed, 1);
  changed.resolve();
  const renewed = await renewing;
  assert.notEqual(renewed, outdated);
  assert.equal((await stored(createVault(Buffer.alloc(32, 7)))).accessToken, renewed);
  assert.equal(drive.oauth.refreshes(), 1);
});

test('a user who authorizes again while an old grant is being renewed keeps the new one', async (t) => {
  const app = await linked(t);
  const { drive, store, granted, keys, stored, linkId } = app;
  const tokens = createLinkTokens({ store, vault: createVault(keys.current) });
  const { accessToken: outdated } = await stored();
  const changed = Promise.withResolvers<void>();
  drive.oauth.holdTokens(changed.promise);
  const renewing = tokens.of(granted).access(AbortSignal.timeout(20_000), outdated);
  await eventually(() => drive.oauth.refreshes() > 0, 'the renewal has begun');
  const anew = drive.oauth.grant(mara.email);
  const sealed = createVault(keys.current).seal(secretPlace(linkId, grantField), JSON.stringify({ accessToken: anew.accessToken }));
  assert.ok(await store.replace(linkId, (await store.sealedOf(linkId)) ?? '', sealed));
  changed.resolve();
  assert.equal(await renewing, anew.accessToken);
  assert.equal((await stored()).accessToken, anew.accessToken);
});

test('a renewal that the provider refuses, or cannot answer, leaves the stored grant unchanged', async (t) => {
  const { connector, drive, stored } = await linked(t);
  const before = await stored();
  drive.oauth.expireAll();
  drive.oauth.refuseRefresh();
  await assert.rejects((await connector()).stat('/', ask()), { messageCode: 'AUTHORIZATION_NEEDED' });
  assert.deepEqual(await stored(), before);
  drive.oauth.refuseRefresh(false);
  assert.equal((await (await connector()).stat('/', ask())).kind, 'folder');
});

test('a connector receives tokens and never the grant', async (t) => {
  const { connector, drive } = await linked(t);
  await connector();
  assert.ok(drive.source.lastInfo);
  assert.equal('grant' in drive.source.lastInfo, false);
});
