import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, get, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAppPassword,
  createWeblink,
  download,
  downloadWeblink,
  emailSignup,
  familyCalls,
  getSession,
  linkUriOf,
  openWeblink,
  remoteUpdate,
  search,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { draftOf, linkApp, listRoot, sftpInfo } from '#/testing/links.ts';
import { startOtlpReceiver } from '#/testing/otlp/receiver.ts';
import { createPeers } from './peers.ts';

async function setting(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const receiver = await startOtlpReceiver();
  const app = await linkApp(t, { settings: { SHEAF_OTLP_URL: `${receiver.url}/`, ...settings } });
  t.after(() => receiver.stop());
  const spanOf = (requestId: unknown) => {
    const found = receiver.spans.find(({ facts }) => facts['sheaf.request.id'] === requestId);
    assert.ok(found, `a span of ${String(requestId)}`);
    return found;
  };
  return { ...app, receiver, spanOf, sent: async () => app.services.tracing?.close() };
}

test('a request has a span with route, status and its id, which is the parent of its calls to the source, and its log lines have the trace', async (t) => {
  const app = await setting(t);
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  app.refuse('failed');
  const query = new URLSearchParams({ linkUri: linkUriOf(userLinkId, '/a.txt') });
  const answer = await app.user.inject({ url: `${download.path}?${query.toString()}` });
  assert.ok(answer.statusCode >= 500);
  const refused = await app.visitor().inject({ url: getSession.path });
  await app.sent();
  const span = app.spanOf(answer.headers['x-request-id']);
  assert.equal(span.name, `GET ${download.path}`);
  assert.deepEqual(span.facts, {
    'http.request.method': 'GET',
    'http.route': download.path,
    'http.response.status_code': answer.statusCode,
    'sheaf.request.id': answer.headers['x-request-id'],
  });
  assert.ok(span.hasFailed);
  assert.equal(span.parentId, '');
  const calls = app.receiver.spans.filter(({ traceId, spanId }) => traceId === span.traceId && spanId !== span.spanId);
  assert.ok(calls.length > 0);
  assert.ok(calls.every(({ parentId }) => parentId === span.spanId));
  const [call] = calls;
  assert.deepEqual([call?.facts['sheaf.outcome'], call?.facts['sheaf.source.type'], call?.hasFailed], ['failed', 'SFTP', true]);
  const lines = app
    .log()
    .split('\n')
    .filter((line) => line.includes(span.traceId))
    .map((line) => JSON.parse(line) as { msg: string; reqId?: string });
  assert.deepEqual(new Set(lines.map(({ msg }) => msg)), new Set(['source called', 'call failed']));
  assert.equal(lines.find(({ msg }) => msg === 'call failed')?.reqId, answer.headers['x-request-id']);
  const other = app.spanOf(refused.headers['x-request-id']);
  assert.notEqual(other.traceId, span.traceId);
  assert.deepEqual([other.facts['http.response.status_code'], other.hasFailed], [401, false]);
});

test('a call to the source is a child of its request after a body has been read, too', async (t) => {
  const app = await setting(t);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as { port: number };
  const cookie = [...app.user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  const body = JSON.stringify({ linkUri: linkUriOf(userLinkId, '/'), fresh: true, rTag: app.user.cookies.get('sh') });
  const headers = { cookie, 'content-type': 'application/json', 'content-length': body.length };
  const client = request(`http://127.0.0.1:${port}${remoteUpdate.path}`, { method: 'POST', headers, agent: false });
  // Sent in two packets, because a body in the packet of its headers is read at once.
  client.write(body.slice(0, 5));
  await sleep(50);
  client.end(body.slice(5));
  const [answer] = (await once(client, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  assert.equal(answer.statusCode, 200);
  await app.sent();
  const asked = app.receiver.spans.find(({ name }) => name === `POST ${remoteUpdate.path}`);
  const call = app.receiver.spans.find(({ facts }) => facts['sheaf.source.operation'] === 'list');
  assert.ok(asked && call);
  assert.deepEqual([call.traceId, call.parentId], [asked.traceId, asked.spanId]);
});

test('the span of a request ends when the client aborts it', async (t) => {
  const app = await setting(t);
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as { port: number };
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  app.source.setGate(() => {
    asked.resolve();
    return held.promise;
  });
  const cookie = [...app.user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const query = new URLSearchParams({ linkUri: linkUriOf(userLinkId, '/a.txt') });
  const client = get(`http://127.0.0.1:${port}${download.path}?${query.toString()}`, { headers: { cookie }, agent: false });
  client.on('error', () => undefined);
  await asked.promise;
  client.destroy();
  const connections = () => new Promise<number>((resolve) => app.app.server.getConnections((_error, count) => resolve(count)));
  await eventually(async () => (await connections()) === 0, 'the server sees that the client has left');
  held.resolve();
  await app.sent();
  const given = app.receiver.spans.find(({ facts }) => facts['error.type'] === 'aborted');
  assert.equal(given?.facts['http.route'], download.path);
  assert.equal(given?.facts['http.response.status_code'], undefined);
});

test('a traceparent is accepted from trusted proxies only, and flags and tracestate from nobody', async (t) => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const headers = { traceparent: `00-${traceId}-${spanId}-00`, tracestate: 'vendor=planted' };
  const app = await setting(t, { SHEAF_TRUSTED_PROXIES: '10.1.0.0/16' });
  const ask = async (remoteAddress: string, sent: Record<string, string> = headers) =>
    (await app.app.inject({ url: getSession.path, headers: sent, remoteAddress })).headers['x-request-id'];
  const believed = await ask('10.1.2.3');
  const ignored = await ask('10.2.2.3', { ...headers, 'x-forwarded-for': '10.1.2.3' });
  const malformed = await ask('10.1.2.3', { traceparent: 'planted' });
  await app.sent();
  assert.deepEqual([app.spanOf(believed).traceId, app.spanOf(believed).parentId], [traceId, spanId]);
  for (const id of [ignored, malformed]) {
    assert.notEqual(app.spanOf(id).traceId, traceId);
    assert.equal(app.spanOf(id).parentId, '');
  }
  assert.ok(app.receiver.messages.every(({ body }) => !body.includes('planted')));
});

test('proxies are recognised by address and by block, in both families', () => {
  const isTrusted = createPeers(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32']);
  for (const address of ['10.1.255.1', '::ffff:10.1.0.1', '192.0.2.7', '2001:db8::1']) assert.ok(isTrusted(address), address);
  for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', '', 'unix', undefined]) assert.ok(!isTrusted(address), String(address));
  assert.ok(!createPeers([])('127.0.0.1'));
});

test('the collector gets no secret, no file name and no personal data', async (t) => {
  const app = await setting(t, { SHEAF_OTLP_HEADERS: 'authorization=Bearer%20planted-header' });
  const { user, source } = app;
  const planted = new Set(['planted-header', user.email, user.userId, user.password, ...user.cookies.values()]);
  const plant = (secret: string): string => {
    planted.add(secret);
    return secret;
  };
  const file = plant('Kündigung Zoë.txt');
  source.put(`/${plant('Scheidung')}/${file}`, plant('the words of the file'));
  const info = {
    ...sftpInfo,
    password: plant('link-secret-471'),
    username: plant('link-user-471'),
    server: `${plant('nas471.example')}:22`,
  };
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(info, { linkName: plant('Mein NAS 471') }));
  plant(userLinkId);
  await listRoot(app, userLinkId);
  const linkUri = linkUriOf(userLinkId, `/Scheidung/${file}`);
  const made = await user.ask(createAppPassword, { name: plant('Laptop 471'), linkUri: [], rights: 'write' });
  for (const secret of [made.password, made.username, made.secretAccessKey, made.accessKeyId]) plant(secret);
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri, password: plant('share-password-471') });
  const weblinkId = plant(sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1));

  const stranger = app.visitor();
  await stranger.refusal(openWeblink, { weblinkId, password: plant('wrong-password-471') });
  await stranger.ask(openWeblink, { weblinkId, password: 'share-password-471' });
  assert.equal((await stranger.send(downloadWeblink, { weblinkId, path: '' })).statusCode, 200);
  await stranger.inject({ url: new URL(sharelinkurl).pathname });
  await user.send(search, { query: plant('gesuchtes-wort') });
  await user.inject({
    url: `${download.path}?${new URLSearchParams({ linkUri }).toString()}`,
    headers: { 'user-agent': plant('agent-471') },
  });
  await user.inject({ url: `/rest/${plant('unknown-path-471')}?token=${plant('query-471')}` });
  await stranger.refusal(emailSignup, { name: 'x', email: plant('someone@example.com'), password: plant('short') });
  const basic = Buffer.from(`${made.username}:${made.password}`).toString('base64');
  const authorization = `Basic ${plant(basic)}`;
  const propfind = { method: 'PROPFIND' as 'GET', url: `/dav/Mein%20NAS%20471/Scheidung/`, headers: { authorization, depth: '1' } };
  assert.equal((await app.app.inject(propfind)).statusCode, 207);
  app.refuse('forbidden', { problem: plant('details-471') });
  await app.app.inject({ url: `/dav/Mein%20NAS%20471/Scheidung/${encodeURIComponent(file)}`, headers: { authorization } });
  await user.send(download, { linkUri });
  await app.services.background.idle();
  await app.sent();

  const routes = new Set(app.receiver.spans.map(({ facts }) => facts['http.route']));
  for (const path of [openWeblink.path, downloadWeblink.path, download.path, search.path, 'none']) assert.ok(routes.has(path), path);
  assert.ok(app.receiver.spans.some(({ name }) => name.startsWith('PROPFIND /dav')));
  assert.ok(app.receiver.spans.some(({ facts }) => facts['sheaf.outcome'] === 'forbidden'));
  assert.ok(app.receiver.points.length > 20);
  const forms = [...planted].flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)]);
  const found = app.receiver.messages.flatMap(({ body }) => forms.filter((form) => form.length > 4 && body.includes(form)));
  assert.deepEqual(found, []);
});

test('requests, source calls, event loop, database and jobs are sent as metrics', async (t) => {
  const app = await setting(t);
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  await listRoot(app, userLinkId);
  await app.sent();
  const sent = (metric: string, facts: Record<string, string | number> = {}) =>
    app.receiver.points.find(
      (point) => point.metric === metric && Object.entries(facts).every(([name, value]) => point.facts[name] === value),
    );
  const { path } = familyCalls.sftp.add;
  assert.equal(sent('http.server.request.duration', { 'http.route': path, 'http.response.status_code': 200 })?.value, 1);
  assert.ok(sent('sheaf.source.call.duration', { 'sheaf.source.operation': 'list', 'sheaf.outcome': 'ok' }));
  assert.equal(sent('sheaf.database.up')?.value, 1);
  assert.ok((sent('sheaf.database.size')?.value ?? 0) > 10_000);
  assert.ok((sent('process.memory.usage')?.value ?? 0) > 10_000_000);
  assert.ok(sent('nodejs.eventloop.delay', { quantile: 0.99 }));
  assert.ok(sent('nodejs.eventloop.utilization'));
  assert.ok(sent('sheaf.jobs', { 'sheaf.job.state': 'ready' }));
  // An id in a metric would make a series for each request.
  assert.ok(app.receiver.points.every(({ facts }) => !('sheaf.request.id' in facts)));
});
