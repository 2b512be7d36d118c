import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { download, familyCalls, linkUriOf } from '@sheaf/contract';
import { type Swift, startSwift } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, listRoot, rowsOf, s3Info } from '#/testing/links.ts';
import { startOtlpReceiver } from '#/testing/otlp/receiver.ts';

let swift: Swift;
before(async () => {
  swift = await startSwift();
  await swift.createBucket('photos');
});
after(() => swift.stop());

const setting = async (t: TestContext, settings: Readonly<Record<string, string>> = {}) => {
  const app = await testApp(t, { settings });
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
    .filter((line) => line.includes('serviceRequestId') && line.includes('"call refused"'));
  const [line] = lines.map((text) => JSON.parse(text) as { reqId: string; serviceRequestId: string });
  assert.equal(line?.reqId, answer.headers['x-request-id']);
  assert.match(line?.serviceRequestId ?? '', /^tx[0-9a-f-]+/);
});

test("one trace leads from a request to the store's own id of what it was asked, and of what it refused", async (t) => {
  const receiver = await startOtlpReceiver();
  const app = await setting(t, { SHEAF_OTLP_URL: receiver.url });
  t.after(() => receiver.stop());
  await swift.putObject('photos', 'there.txt', 'text');
  const provider = 'S3Compat';
  const { completedConnectionInfo = {} } = await app.user.ask(familyCalls.s3.verify, draftOf(inSwift(), { provider }));
  const { userLinkId } = await app.user.ask(familyCalls.s3.add, draftOf(completedConnectionInfo, { provider, linkName: 'B' }));
  const ask = (name: string) =>
    app.user.inject({ url: `${download.path}?${new URLSearchParams({ linkUri: linkUriOf(userLinkId, name) }).toString()}` });
  const [found, missing] = [await ask('/there.txt'), await ask('/missing.txt')];
  assert.deepEqual([found.statusCode, missing.statusCode], [200, 404]);
  await app.services.tracing?.close();
  const callOf = (status: number, outcome: string) => {
    const request = receiver.spans.find(
      ({ facts }) => facts['http.route'] === download.path && facts['http.response.status_code'] === status,
    );
    const call = receiver.spans.find(({ facts }) => facts['sheaf.source.type'] === provider && facts['sheaf.outcome'] === outcome);
    assert.ok(request && call);
    assert.deepEqual([call.traceId, call.parentId], [request.traceId, request.spanId]);
    assert.match(String(call.facts['sheaf.source.request.id']), /^tx[0-9a-f-]+/);
    return { request, call };
  };
  callOf(200, 'ok');
  const { request, call } = callOf(404, 'notFound');
  assert.equal(request.facts['sheaf.request.id'], missing.headers['x-request-id']);
  const line = app
    .log()
    .split('\n')
    .find((text) => text.includes('"call refused"') && text.includes(String(missing.headers['x-request-id'])));
  const logged = JSON.parse(line ?? '{}') as { traceId?: string; serviceRequestId?: string };
  assert.deepEqual([logged.traceId, logged.serviceRequestId], [call.traceId, call.facts['sheaf.source.request.id']]);
});
