import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getLinkProvider, listLinkProviders } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';

test('a provider is found whatever its case, with its calls and addresses [API-06] [LNK-47]', async (t) => {
  const { signUp } = await testApp(t);
  const { provider } = await (await signUp()).ask(getLinkProvider, { provider: 'HiDrive' });
  assert.deepEqual(provider, {
    provider: 'hidrive',
    displayTitle: 'HiDrive',
    title: 'HiDrive',
    addApi: 'add_webdav_provider_link',
    updateApi: 'update_webdav_provider_link',
    logoUrl: '/images/logos/hidrive.svg',
    serverUrl: 'https://webdav.hidrive.strato.com',
    destinationUrl: 'https://webdav.hidrive.strato.com/users/{username}',
    isSetUp: true,
    available: true,
  });
});

test('an unknown provider is refused with 111', async (t) => {
  const { signUp } = await testApp(t);
  assert.equal((await (await signUp()).refusal(getLinkProvider, { provider: 'floppy' })).errorCode, 111);
});

test('a provider that needs an application says whether the operator has set it up', async (t) => {
  const { visitor } = await testApp(t, { settings: { SHEAF_DROPBOX_CLIENT_ID: 'app' } });
  const { providers } = await visitor().ask(listLinkProviders, {});
  const isSetUp = (name: string) => providers.find(({ provider }) => provider === name)?.isSetUp;
  assert.deepEqual([isSetUp('Dropbox'), isSetUp('Box'), isSetUp('SFTP'), isSetUp('B2')], [true, false, true, true]);
});

test('a service that cannot be linked says so, unless the operator names a compatible server', async (t) => {
  const closed = async (settings: Record<string, string>) => {
    const { signUp } = await testApp(t, { settings });
    return (await (await signUp()).ask(getLinkProvider, { provider: 'clouddrive' })).provider.closed;
  };
  assert.equal(await closed({}), 'Amazon ended this service on 31 December 2023, so it cannot be linked any more.');
  assert.equal(await closed({ SHEAF_CLOUDDRIVE_API_URL: 'https://drive.example' }), undefined);
});
