import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { download, familyCalls, linkUriOf } from '@sheaf/contract';
import { type Swift, startSwift } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, listRoot, rowsOf, s3Info } from '#/testing/links.ts';

let swift: Swift;
before(async () => {
  swift = await startSwift();
  await swift.createBucket('photos');
});
after(() => swift.stop());

const setting = async (t: TestContext) => {
  const app = await testApp(t);
  return { ...app, user: await app.signUp() };
};
const inSwift = () => ({ ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret });

test('a bucket is verified, completed, linked and read', async (t) => {
  const app = await setting(t);
  const provider = 'S3Compat';
  const verdict = await app.user.ask(familyCalls.s3.verify, draftOf(inSwift(), { provider }));
  assert.equal(verdict.isValid, true);
  const { userLinkId } = await app.user.ask(
    familyCalls.s3.add,
    draftOf(verdict.completedConnectionInfo ?? {}, { provider, linkName: 'B' }),
  );
  const [row] = await rowsOf(app.user);
  assert.deepEqual([row?.state, row?.sourceAccountName, row?.formType], ['ok', 'photos', 'S3']);
  assert.deepEqual(await listRoot(app, userLinkId), []);
});

test('a real object store distinguishes a wrong secret, a wrong bucket and an unreachable server', async (t) => {
  const { user } = await setting(t);
  const code = async (change: object) =>
    (await user.refusal(familyCalls.s3.verify, draftOf({ ...inSwift(), ...change }, { provider: 'S3Compat' }))).errorCode;
  assert.equal(await code({ secret: 'wrong' }), 425);
  assert.equal(await code({ bucketName: 'missing' }), 426);
  assert.equal(await code({ host: 'http://127.0.0.1:1' }), 652);
});

test("the log names a refused request by the store's own id, and ours", async (t) => {
  const app = await setting(t);
  const provider = 'S3Compat';
  const { completedConnectionInfo = {} } = await app.user.ask(familyCalls.s3.verify, draftOf(inSwift(), { provider }));
  const { userLinkId } = await app.user.ask(familyCalls.s3.add, draftOf(completedConnectionInfo, { provider, linkName: 'B' }));
  const query = new URLSearchParams({ linkUri: linkUriOf(userLinkId, '/missing.txt') });
  const answer = await app.user.inject({ url: `${download.path}?${query.toString()}` });
  assert.equal(answer.statusCode, 404);
  const lines = app
    .log()
    .split('\n')
    .filter((line) => line.includes('serviceRequestId'));
  const [line] = lines.map((text) => JSON.parse(text) as { reqId: string; serviceRequestId: string });
  assert.equal(line?.reqId, answer.headers['x-request-id']);
  assert.match(line?.serviceRequestId ?? '', /^tx[0-9a-f-]+/);
});
