import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGoogleCloudLink, deleteLink, getLinkConnectionInfo, googleCloudFormPath, manageCalls } from '@sheaf/contract';
import { rowsOf } from '#/testing/links.ts';
import { type DriveApp, authorize, driveApp, mara, noor } from '#/testing/storages/drive.ts';

const googleCloud = { sourceType: 'GoogleCloud', providerName: 'GoogleCloud', buildRedirectUrl: 'true' };
const key = JSON.stringify({ type: 'service_account', private_key: 'k' });

async function stateIdOf(app: Pick<DriveApp, 'drive' | 'user'>, query = {}, account = mara): Promise<string> {
  const end = new URL(await authorize(app, { ...googleCloud, ...query }, account), 'http://x');
  assert.equal(end.pathname, googleCloudFormPath);
  return end.searchParams.get('stateId') ?? '';
}
const opens = async ({ services, user }: DriveApp, linkId: string) => {
  const { connector } = await services.connections.open(user.userId, linkId);
  return (await connector.stat('/', { signal: AbortSignal.timeout(10_000) })).kind;
};

test('the grant waits for the bucket, and the form receives what the flow was begun with [RT-075] [GCS-13]', async (t) => {
  const app = await driveApp(t);
  const query = { redirectUrl: '/links', cancelUrl: 'https://evil.example', handoffToken: 'h&1' };
  const end = new URL(await authorize(app, { ...googleCloud, ...query }), 'http://x');
  const { stateId, ...rest } = Object.fromEntries(end.searchParams);
  assert.match(stateId ?? '', /^[\w-]{43}$/);
  assert.deepEqual(rest, { redirectUrl: '/links', handoffToken: 'h&1' });
  assert.deepEqual(await rowsOf(app.user), []);
});

test('a bucket is linked with the grant, by default with simple folders [GCS-07] [GCS-08]', async (t) => {
  const app = await driveApp(t);
  const { userLinkId, linkName } = await app.user.ask(addGoogleCloudLink, { stateId: await stateIdOf(app), bucketName: 'photos' });
  assert.equal(linkName, 'My Google Cloud Storage');
  const { connectionInfo } = await app.user.ask(getLinkConnectionInfo, { userLinkId });
  const { bucketName, directoryStructure, region } = connectionInfo;
  assert.deepEqual([bucketName, directoryStructure, region], ['photos', "SIMPLE '/' DELIMITED", 'eu']);
  assert.equal((await rowsOf(app.user))[0]?.formType, 'GOOGLECLOUD');
  assert.equal(await opens(app, userLinkId), 'folder');
});

test('a missing bucket is refused, and the same grant serves the next try, but only one', async (t) => {
  const app = await driveApp(t);
  const stateId = await stateIdOf(app);
  assert.equal((await app.user.refusal(addGoogleCloudLink, { stateId, bucketName: 'gone' })).errorCode, 426);
  assert.equal((await app.user.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos', name: 'a:b' })).errorCode, 222);
  assert.equal((await app.user.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos', directoryStructure: 'X' })).errorCode, 107);
  await app.user.ask(addGoogleCloudLink, { stateId, bucketName: 'photos', name: 'Photos' });
  assert.equal((await app.user.refusal(addGoogleCloudLink, { stateId, bucketName: 'other' })).errorCode, 731);
});

test('a pending grant serves nobody else, and expires after half an hour', async (t) => {
  let passed = 0;
  const app = await driveApp(t, { now: () => Math.floor(Date.now() / 1000) + passed });
  const stateId = await stateIdOf(app);
  const stranger = await app.signUp();
  assert.equal((await stranger.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos' })).errorCode, 731);
  passed = 1801;
  assert.equal((await app.user.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos' })).errorCode, 731);
  await app.services.authorizations.sweep();
  assert.deepEqual(await app.services.database.db.selectFrom('parked_grant').selectAll().execute(), []);
});

test('the same bucket of the same account is refused with 420, and linked if the user continues; a taken name is refused with 421', async (t) => {
  const app = await driveApp(t);
  const { user } = app;
  await user.ask(addGoogleCloudLink, { stateId: await stateIdOf(app), bucketName: 'photos', name: 'Photos' });
  const stateId = await stateIdOf(app);
  assert.equal((await user.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos' })).errorCode, 420);
  assert.equal((await user.refusal(addGoogleCloudLink, { stateId, bucketName: 'films', name: 'photos' })).errorCode, 421);
  await user.ask(addGoogleCloudLink, { stateId, bucketName: 'photos', continueAnyway: true });
  assert.equal((await rowsOf(user)).length, 2);
});

test('a bucket is linked with the key of a service account, without an application', async (t) => {
  const app = await driveApp(t, { settings: { SHEAF_GOOGLECLOUD_CLIENT_ID: '' } });
  const { user } = app;
  const { userLinkId } = await user.ask(addGoogleCloudLink, { serviceAccountKey: key, bucketName: 'photos' });
  assert.equal(await opens(app, userLinkId), 'folder');
  assert.equal((await user.refusal(addGoogleCloudLink, { serviceAccountKey: 'no key', bucketName: 'b' })).errorCode, 107);
  assert.equal((await user.refusal(addGoogleCloudLink, { bucketName: 'b' })).errorCode, 107);
  assert.equal((await user.refusal(addGoogleCloudLink, { serviceAccountKey: key, bucketName: 'gone' })).errorCode, 426);
  await user.ask(deleteLink, { userLinkId });
});

test('an edit accepts a new grant of the same account, and none of another', async (t) => {
  const app = await driveApp(t);
  const { user } = app;
  const { userLinkId } = await user.ask(addGoogleCloudLink, { stateId: await stateIdOf(app), bucketName: 'photos' });
  const another = await stateIdOf(app, { userLinkId }, noor);
  assert.equal((await user.refusal(manageCalls.update, { userLinkId, stateId: another })).errorCode, 419);
  app.drive.oauth.revokeAccount(mara.email);
  const stateId = await stateIdOf(app, { userLinkId });
  const saved = await user.ask(manageCalls.update, { userLinkId, stateId, linkName: 'Photos' });
  assert.deepEqual([saved.userLinkId, saved.linkName], [userLinkId, 'Photos']);
  assert.equal(await opens(app, userLinkId), 'folder');
  assert.equal((await user.refusal(manageCalls.update, { userLinkId, stateId })).errorCode, 731);
});

test('a non-member cannot link a bucket for an organisation', async (t) => {
  const { user } = await driveApp(t);
  assert.equal((await user.refusal(addGoogleCloudLink, { bucketName: 'b', serviceAccountKey: key, orgOid: 'o' })).errorCode, 351);
});
