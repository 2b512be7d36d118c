import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Env } from '@sheaf/connectors';
import { startAzureBlob, startBox, startDropbox, startGoogle, startMicrosoft } from '@sheaf/testbed';

/** An account at a simulated provider. */
export interface Cloud {
  readonly provider: string;
  readonly app: Env['app'];
  readonly accessToken: string;
  /** What the account's link consists of. */
  readonly info: Readonly<Record<string, string>>;
  /** A folder that takes files. */
  readonly folder: string;
}

interface Simulator {
  stop(): Promise<void>;
  assertClean(): void;
}

function stopAfter(t: TestContext, simulator: Simulator): void {
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
}

export async function startDrive(t: TestContext): Promise<Cloud> {
  const google = await startGoogle({ client: { id: 'sheaf', secret: 'drive-secret', redirectUris: [] } });
  stopAfter(t, google);
  const [account] = google.oauth.accounts;
  assert.ok(account);
  const { accessToken } = google.oauth.grant(account.email, ['https://www.googleapis.com/auth/drive']);
  return { provider: 'GoogleDrive', app: google.app, accessToken, info: { accountId: account.id, email: account.email }, folder: '/' };
}

export async function startOneDrive(t: TestContext, provider: 'OneDrive' | 'Sharepoint'): Promise<Cloud> {
  const microsoft = await startMicrosoft();
  stopAfter(t, microsoft);
  const { people, apps, consumers, organizations } = microsoft;
  const [oauth, { id, email }] = provider === 'OneDrive' ? [consumers, people.mara] : [organizations, people.noor];
  const folder = provider === 'OneDrive' ? '/' : '/Engineering/Drawings';
  return { provider, app: apps[provider], accessToken: oauth.grant(id).accessToken, info: { accountId: id, account: email }, folder };
}

export async function startBoxCloud(t: TestContext): Promise<Cloud> {
  const box = await startBox();
  stopAfter(t, box);
  const [account] = box.accounts;
  assert.ok(account);
  const { accessToken } = box.oauth.grant(account.email, ['root_readwrite']);
  return { provider: 'Box', app: box.app, accessToken, info: { userId: account.id, login: account.email }, folder: '/' };
}

export async function startDropboxCloud(t: TestContext): Promise<Cloud> {
  const dropbox = await startDropbox();
  stopAfter(t, dropbox);
  const [account] = dropbox.people.all.map((person) => person.account);
  assert.ok(account);
  const scopes = ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'];
  const { accessToken } = dropbox.oauth.grant(account.email, scopes);
  return { provider: 'Dropbox', app: dropbox.app, accessToken, info: { accountId: account.id, email: account.email }, folder: '/' };
}

/** An account of Azure with versioning or soft delete. */
export async function startAzure(t: TestContext, enabled: 'versioning' | 'softDelete'): Promise<Cloud> {
  const azure = await startAzureBlob({ [enabled]: true });
  stopAfter(t, azure);
  azure.addContainer('photos');
  const { endpoint: host, account: key, key: secret } = azure;
  return { provider: 'AzureStorage', app: undefined, accessToken: '', info: { host, bucketName: 'photos', key, secret }, folder: '/' };
}
