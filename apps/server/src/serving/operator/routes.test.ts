import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listOperatedProviders, sessionInfo, testProvider } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { driveApp, publicUrl } from '#/testing/storages/drive.ts';

const operators = { SHEAF_OPERATORS: 'Boss@Example.org, other@example.org' };

async function operated(t: TestContext, settings = {}) {
  const app = await driveApp(t, { settings: { ...operators, ...settings } });
  const boss = await app.signUp('boss@example.org');
  await app.services.accounts.markVerified({ id: boss.userId, email: boss.email });
  return { ...app, boss };
}

test('the operator sees what is set up, what is missing and what to register, and no value of a setting', async (t) => {
  const { boss, drive } = await operated(t);
  const response = await boss.send(listOperatedProviders, {});
  const { providers } = await boss.ask(listOperatedProviders, {});
  const find = (name: string) => providers.find(({ provider }) => provider === name);
  assert.deepEqual(find('Dropbox'), {
    provider: 'Dropbox',
    title: 'Dropbox',
    settings: 'DROPBOX',
    isSetUp: true,
    given: ['CLIENT_ID', 'CLIENT_SECRET', 'API_URL', 'AUTH_URL', 'TOKEN_URL'].map((suffix) => `SHEAF_DROPBOX_${suffix}`),
    missing: [],
    redirectAddress: `${publicUrl}/oauth`,
    scopes: ['files'],
  });
  assert.deepEqual([find('Box')?.isSetUp, find('Box')?.missing], [false, ['SHEAF_BOX_CLIENT_ID', 'SHEAF_BOX_CLIENT_SECRET']]);
  assert.equal(find('CloudDrive')?.closed, 'Amazon ended this service on 31 December 2023, so it cannot be linked any more.');
  assert.equal(find('SFTP'), undefined);
  for (const secret of [drive.clientSecret, drive.simulator.url]) assert.ok(!response.body.includes(secret));
});

test('a test distinguishes a provider that knows the application, one that does not, and one that cannot be reached', async (t) => {
  const settings = {
    SHEAF_GOOGLEDRIVE_CLIENT_SECRET: 'wrong',
    SHEAF_GOOGLECLOUD_TOKEN_URL: 'http://127.0.0.1:9/token',
  };
  const { boss, drive } = await operated(t, settings);
  const verdictOn = async (provider: string) => (await boss.ask(testProvider, { provider })).messageCode;
  assert.deepEqual(await boss.ask(testProvider, { provider: 'Dropbox' }), { isValid: true });
  assert.equal(await verdictOn('GoogleDrive'), 'APPLICATION_REFUSED');
  assert.equal(await verdictOn('GoogleCloud'), 'CANNOT_CONNECT');
  assert.equal(await verdictOn('Box'), 'PROVIDER_NOT_SET_UP');
  assert.equal((await boss.refusal(testProvider, { provider: 'SFTP' })).errorCode, 111);
  drive.simulator.assertClean();
});

test('an address that answers as anything but a provider is not a provider', async (t) => {
  const { boss, drive } = await operated(t);
  drive.simulator.faults.next(/\/auth\/token/, 1, { kind: 'reply', reply: { status: 200, text: '<html>' } });
  assert.equal((await boss.ask(testProvider, { provider: 'Dropbox' })).messageCode, 'SOURCE_CONFUSED');
});

test('nobody else is admitted: not a user, not a visitor, not an unverified address', async (t) => {
  const app = await operated(t);
  const unproven = await app.signUp('other@example.org');
  for (const user of [app.user, unproven]) {
    for (const call of [listOperatedProviders, testProvider] as const) {
      const refusal = await user.refusal(call, { provider: 'Dropbox' });
      assert.deepEqual([refusal.status, refusal.errorCode], [403, 735]);
    }
    assert.equal((await user.ask(sessionInfo, {})).isOperator, false);
  }
  assert.equal((await app.visitor().refusal(listOperatedProviders, {})).errorCode, 104);
  assert.equal((await app.visitor().ask(sessionInfo, {})).isOperator, false);
  assert.equal((await app.boss.ask(sessionInfo, {})).isOperator, true);
});

test('without operators everyone is one while only this machine can reach Sheaf, and nobody else ever', async (t) => {
  const isOperator = async (settings: Record<string, string>) => {
    const { signUp } = await testApp(t, { settings });
    return (await (await signUp()).ask(sessionInfo, {})).isOperator;
  };
  assert.equal(await isOperator({}), true);
  assert.equal(await isOperator({ SHEAF_PUBLIC_URL: 'https://sheaf.example' }), false);
  assert.equal(await isOperator({ SHEAF_HOST: '0.0.0.0' }), false);
  assert.equal(await isOperator({ SHEAF_OPERATORS: 'boss@example.org' }), false);
});
