import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getSession, updateMember, upload } from '@sheaf/contract';
import { type FastifyInstance, fastify } from 'fastify';
import { acceptForms } from './bodies/forms.ts';
import { refuseSlowBodies } from './bodies/slow-bodies.ts';
import { answerErrors } from './on-error.ts';
import { serve } from './serve.ts';

const caller = { userId: 'mara', sessionId: 's', rTag: 'right' };
const cookie = 'sid=token';

function bareApp(t: TestContext, write: (line: string) => void = () => undefined): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, logger: { level: 'warn', stream: { write } } });
  app.decorate('findCaller', (token: string) => (token === 'token' ? caller : undefined));
  app.decorate('publicOrigin', 'http://sheaf.test');
  acceptForms(app);
  answerErrors(app);
  t.after(() => app.close());
  return app;
}

test('a handler is notified when the client disconnects', async (t) => {
  const app = bareApp(t);
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  serve(app, getSession, async ({ signal }) => {
    begin(signal);
    await once(signal, 'abort');
    throw new Error('nobody listens any more');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const client = request({ port, path: getSession.path, headers: { cookie } });
  client.on('error', () => assert.ok(client.destroyed));
  client.end();
  const signal = await begun;
  assert.equal(signal.aborted, false);
  const aborted = once(signal, 'abort');
  client.destroy();
  await aborted;
});

test('an answer that is already encoded is sent unchanged', async (t) => {
  const app = bareApp(t);
  serve(app, getSession, () => Buffer.from('{"data":{"loginName":"Márá"}}'));
  const answer = await app.inject({ url: getSession.path, headers: { cookie } });
  assert.equal(answer.body, '{"data":{"loginName":"Márá"}}');
  assert.deepEqual(
    [answer.headers['content-type'], answer.headers['content-length'], answer.headers['cache-control']],
    ['application/json; charset=utf-8', '31', 'no-store'],
  );
});

test('an answer that the handler sends by itself is the only one', async (t) => {
  const lines: string[] = [];
  const app = bareApp(t, (line) => lines.push(line));
  serve(app, getSession, async ({ reply }) => {
    reply.hijack().raw.end('on its own');
    return reply;
  });
  const answer = await app.inject({ url: getSession.path, headers: { cookie } });
  assert.equal(answer.body, 'on its own');
  assert.deepEqual(lines, []);
});

test('a form that stalls times out; one that arrives does not, however long its call takes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: string[] = [];
  const app = bareApp(t, (line) => lines.push(line));
  refuseSlowBodies(app, 50);
  serve(app, updateMember, async () => {
    t.mock.timers.tick(100);
    return { loginName: 'Mara', loginAccount: '', rTag: '', emailVerified: true, upgradeState: 'none', expirationDays: 0 };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const headers = { cookie, 'x-rtag': 'right', 'content-type': 'application/x-www-form-urlencoded', 'content-length': '10' };
  const slow = request({ port, path: updateMember.path, method: 'POST', headers });
  slow.write('newN');
  const broken = assert.rejects(once(slow, 'response'), { code: 'ECONNRESET' });
  await once(app.server, 'request');
  t.mock.timers.tick(50);
  await broken;
  const whole = request({ port, path: updateMember.path, method: 'POST', headers });
  whole.write('newN');
  await once(app.server, 'request');
  whole.end('ame=Al');
  const [answer] = (await once(whole, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  answer.resume();
  assert.deepEqual(lines, []);
});

test('the body of a PUT is left to the handler, whatever its type and size, and its rTag is in the header', async (t) => {
  const app = bareApp(t);
  serve(app, upload, async ({ request: { raw }, reply }) => {
    let size = 0;
    for await (const chunk of raw) size += Buffer.from(chunk as Uint8Array).length;
    return reply.send(String(size));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const send = (type: string, tag: string) =>
    fetch(`http://127.0.0.1:${port}${upload.path}?parentLinkUri=/x&name=a`, {
      method: 'PUT',
      headers: { cookie, 'x-rtag': tag, ...(type === '' ? {} : { 'content-type': type }) },
      body: new Uint8Array(3_000_000),
    });
  for (const type of ['', 'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'video/mp4'])
    assert.equal(await (await send(type, 'right')).text(), '3000000', type);
  assert.equal((await send('video/mp4', 'wrong')).status, 401);
});

test('an unexpected failure is answered without its message', async (t) => {
  const app = bareApp(t);
  serve(app, updateMember, () => {
    throw new Error('the database password is hunter2');
  });
  const answer = await app.inject({ method: 'POST', url: updateMember.path, payload: { rTag: 'right' }, headers: { cookie } });
  assert.equal(answer.statusCode, 500);
  assert.deepEqual(answer.json(), {
    errorCode: 799,
    messageCode: 'UNEXPECTED',
    message: 'An unknown error occurred. [799]',
    details: { code: '799' },
    requestId: answer.headers['x-request-id'],
  });
  assert.match(String(answer.headers['x-request-id']), /^req-\d+$/);
});
