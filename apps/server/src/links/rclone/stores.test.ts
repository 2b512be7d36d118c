import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addGoogleCloudLink, certificateRules, exportRclone, familyCalls } from '@sheaf/contract';
import { run, startB2, startGoogleCloud } from '@sheaf/testbed';
import { type User, testApp } from '#/testing/app.ts';
import { addSftp, davInfo, draftOf, ftpInfo, linkApp, s3Info, sftpInfo } from '#/testing/links.ts';

/** Exports the account's links for rclone; returns a function that runs rclone with the file. */
async function exported(t: TestContext, user: User) {
  const answer = await user.send(exportRclone, { password: user.password });
  assert.equal(answer.statusCode, 200);
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-rclone-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'rclone.conf');
  await writeFile(file, answer.body);
  return (...args: string[]): Promise<string> => run('rclone', ['--config', file, '--retries', '1', '--low-level-retries', '1', ...args]);
}
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean).toSorted();

/** rclone logs in by version 1 of B2's API, whose fields are elsewhere than in the simulator's version 4. */
async function oldLogin(t: TestContext, url: string): Promise<string> {
  const server = createServer(({ headers }, response) => {
    const login = async (): Promise<void> => {
      const answer = await fetch(`${url}/b2api/v4/b2_authorize_account`, { headers: { authorization: headers.authorization ?? '' } });
      const { apiInfo, ...rest } = (await answer.json()) as { readonly apiInfo: { readonly storageApi: { readonly allowed: object } } };
      const { allowed, ...api } = apiInfo.storageApi;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...rest, ...api, minimumPartSize: 5_000_000, allowed: { capabilities: [], ...allowed } }));
    };
    login().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an account of B2 is exported to rclone, which lists its buckets and reads their files', async (t) => {
  const b2 = await startB2();
  t.after(() => b2.stop());
  b2.seed();
  const app = await testApp(t, { settings: { SHEAF_B2_API_URL: b2.url } });
  const user = await app.signUp();
  await user.ask(familyCalls.b2.add, draftOf(b2.masterKey, { provider: 'B2', linkName: 'Backups' }));
  const rclone = await exported(t, user);
  const login = await oldLogin(t, b2.url);
  const names = linesOf(await rclone('lsf', '--recursive', '--files-only', '--b2-endpoint', login, 'Backups:'));
  const stored = [...b2.state.buckets.values()].map(({ name }) => name);
  assert.deepEqual([...new Set(names.map((name) => name.split('/')[0]))], stored.toSorted());
  assert.ok((await rclone('cat', '--b2-endpoint', login, `Backups:${names.find((name) => name.endsWith('.txt'))}`)).length > 0);
});

test('a bucket of Google Cloud is exported to rclone with the key of its service account', async (t) => {
  const client = { id: 'sheaf', secret: 'simulated secret', title: 'Sheaf', redirectUris: [] };
  const cloud = await startGoogleCloud({ client });
  t.after(() => cloud.stop());
  const key = { ...(JSON.parse(cloud.serviceAccountKey) as object), token_uri: cloud.app.tokenUrl };
  const settings = { SHEAF_GOOGLECLOUD_API_URL: cloud.app.apiUrl, SHEAF_GOOGLECLOUD_TOKEN_URL: cloud.app.tokenUrl };
  const user = await (await testApp(t, { settings })).signUp();
  await user.ask(addGoogleCloudLink, { serviceAccountKey: JSON.stringify(key, undefined, 2), bucketName: 'mara-files', name: 'Files' });
  const rclone = await exported(t, user);
  const at = ['--gcs-endpoint', `${cloud.url}/storage/v1/`];
  assert.deepEqual(linesOf(await rclone('lsf', ...at, 'Files:')), ['photos/', 'plans/', 'readme.txt']);
});

/** The output of `rclone config providers` for a type. */
interface Backend {
  readonly Name: string;
  readonly Options: readonly { readonly Name: string }[];
}

test('every exported option exists in rclone, and every remote is one that it knows', async (t) => {
  const { user } = await linkApp(t);
  await addSftp(user, 'By password', { path: 'in side' });
  const byKey = { ...sftpInfo, keyfileContent: '-----BEGIN KEY-----\nx\n-----END KEY-----', password: 'of the key' };
  await user.ask(familyCalls.sftp.add, draftOf(byKey, { linkName: 'By key' }));
  await user.ask(familyCalls.ftp.add, draftOf({ ...ftpInfo, enforceSSL: certificateRules.ignore }, { linkName: 'FTP' }));
  await user.ask(familyCalls.webdav.add, draftOf(davInfo, { linkName: 'WebDAV' }));
  const inBucket = { ...s3Info, region: 'eu-west-1', host: 'https://store.example', defaultStorageClass: 'REDUCED_REDUNDANCY' };
  for (const provider of ['S3', 'S3Compat', 'Wasabi', 'DigitalOcean', 'DreamHost', 'MinIO', 'AzureStorage'])
    await user.ask(familyCalls.s3.add, draftOf(inBucket, { provider, linkName: provider, continueAnyway: true }));
  await user.ask(
    familyCalls.b2.add,
    draftOf({ accountId: 'id', applicationKey: 'key' }, { provider: 'B2', linkName: 'B2', continueAnyway: true }),
  );
  const rclone = await exported(t, user);
  const backends = JSON.parse(await rclone('config', 'providers')) as readonly Backend[];
  const remotes = JSON.parse(await rclone('config', 'dump')) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const types = new Set<string>();
  for (const [remote, { type = '', ...options }] of Object.entries(remotes)) {
    types.add(type);
    const known = backends.find(({ Name }) => Name === type)?.Options.map(({ Name }) => Name);
    assert.ok(known, `rclone has no ${type}`);
    for (const option of Object.keys(options)) assert.ok(known.includes(option), `${remote}: ${type} has no ${option}`);
  }
  assert.deepEqual([...types].toSorted(), ['alias', 'azureblob', 'b2', 'ftp', 's3', 'sftp', 'webdav']);
  assert.deepEqual(
    linesOf(await rclone('listremotes')),
    Object.keys(remotes)
      .map((name) => `${name}:`)
      .toSorted(),
  );
});
