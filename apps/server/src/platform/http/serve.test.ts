import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import * as contract from '@sheaf/contract';
import { type Call, emailLogin, expireSessions, getSession, logout, updateMember } from '@sheaf/contract';
import { fastify } from 'fastify';
import { testApp } from '#/testing/app.ts';
import { healthRoutes } from './health.ts';
import { answerErrors } from './on-error.ts';

test('a call takes forms, multipart forms and JSON alike [API-01] [API-02]', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const { email, password } = await signUp();
  const form = new FormData();
  form.append('email', email);
  form.append('password', password);
  const multipart = new Response(form);
  const bodies = [
    { payload: new URLSearchParams({ email, password }).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { payload: Buffer.from(await multipart.arrayBuffer()), headers: { 'content-type': multipart.headers.get('content-type') ?? '' } },
    { payload: JSON.stringify({ email, password }), headers: { 'content-type': 'application/json' } },
  ];
  for (const body of bodies) {
    const answer = await visitor().inject({ method: 'POST', url: emailLogin.path, ...body });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(answer.json<{ data: contract.Session }>().data.loginAccount, email);
  }
});

test('a call without input may be sent an empty body of any type [API-55]', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp();
  for (const type of [undefined, 'application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded']) {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await mara.inject({ method: 'POST', url: contract.getWeblinks.path, headers });
    assert.deepEqual(answer.json<{ data: unknown }>(), { data: [] }, type ?? 'none');
  }
});

test('a client that leaves while an answer streams is nothing to warn of', async (t) => {
  const { app, signUp, log } = await testApp(t);
  const { cookies } = await signUp();
  const { host, port, hostname } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const closed = Promise.withResolvers<void>();
  app.server.once('connection', (socket) => socket.once('close', () => closed.resolve()));
  const before = log().length;
  const client = connect(Number(port), hostname);
  client.write(`GET ${contract.folderEvents.path}?userLinkId=a HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
  const [head] = (await once(client, 'data')) as [Buffer];
  assert.match(head.toString(), /^HTTP\/1.1 200 /);
  client.destroy();
  await closed.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.doesNotMatch(log().slice(before), /"level":[456]0/);
});

test('a form that repeats one field half a million times is read like any other', async (t) => {
  const { visitor } = await testApp(t);
  const answer = await visitor().inject({
    method: 'POST',
    url: emailLogin.path,
    payload: 'a&'.repeat(500_000),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(answer.json<contract.ErrorAnswer>().messageCode, 'MISSING_PARAMETER');
});

test('every answer is JSON: data on success; code, sentence and details on failure [API-03]', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const mara = await signUp();
  const good = await mara.send(getSession, {});
  assert.match(String(good.headers['content-type']), /^application\/json/);
  assert.deepEqual(Object.keys(good.json<object>()), ['data']);
  const bad = await visitor().send(getSession, {});
  assert.match(String(bad.headers['content-type']), /^application\/json/);
  assert.deepEqual(Object.keys(bad.json<object>()), ['errorCode', 'messageCode', 'message', 'details']);
});

test('the session cookie cannot be read by scripts, the tag cookie "sh" can, and only the hash of the former is stored [SEC-03]', async (t) => {
  const { signUp, visitor, services } = await testApp(t, { settings: { SHEAF_PUBLIC_URL: 'https://sheaf.test' } });
  const { email, password } = await signUp();
  const answer = await visitor().send(emailLogin, { email, password });
  const [sid, sh] = answer.headers['set-cookie'] ?? [];
  assert.match(String(sid), /^sid=.+SameSite=Lax.+HttpOnly; Secure$/);
  assert.match(String(sh), /^sh=.+SameSite=Lax.+Secure$/);
  assert.doesNotMatch(String(sh), /HttpOnly/);
  const value = /^sid=([^;]+)/.exec(String(sid))?.[1] ?? '';
  const rows = await services.database.db.selectFrom('session').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(value));
});

test('a write with a missing or wrong rTag is refused with 104 and changes nothing [SEC-04] [SEC-05]', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp();
  const plain = (payload: string) =>
    mara.inject({ method: 'POST', url: updateMember.path, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  for (const payload of [
    'newName=Eve',
    'newName=Eve&rTag=',
    'newName=Eve&rTag=wrong',
    `newName=Eve&rTag=${mara.session.rTag}x`,
    'newName=Eve&rTag=a&rTag=b',
    `newName=Eve&rTag=%C3%A9${mara.session.rTag.slice(1)}`,
  ]) {
    const answer = await plain(payload);
    assert.equal(answer.statusCode, 401, payload);
    assert.equal(answer.json<contract.ErrorAnswer>().errorCode, 104, payload);
  }
  assert.equal((await mara.ask(getSession, {})).loginName, 'Mara');
  assert.equal((await plain(`newName=Eve&rTag=${mara.session.rTag}`)).statusCode, 200);
});

test('every call that the specification lists with an rTag is refused without it [SEC-05]', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp();
  const { s3, sftp, ...others } = contract.familyCalls;
  const listed: readonly Call[] = [
    ...Object.values(others).flatMap((family) => Object.values(family)),
    s3.add,
    s3.update,
    sftp.add,
    sftp.update,
    contract.deleteLink,
    contract.deleteOrgLink,
    contract.removeWeblink,
    contract.updateWeblink,
    contract.premiumTrial,
    contract.purchasePremium,
    contract.reactivatePremium,
    contract.updateBilling,
    contract.updateMember,
    contract.updateSpace,
    contract.updateSpaceLink,
  ];
  for (const { method, path } of listed) {
    const answer = await mara.inject({ method, url: path, payload: {} });
    assert.equal(answer.json<contract.ErrorAnswer>().errorCode, 104, path);
  }
});

test("another account's rTag counts as none", async (t) => {
  const { signUp } = await testApp(t);
  const [mara, eve] = [await signUp(), await signUp()];
  assert.equal((await mara.refusal(updateMember, { newName: 'Eve', rTag: eve.session.rTag })).errorCode, 104);
});

test('a write sent by another site is refused, even with the right rTag', async (t) => {
  const { signUp } = await testApp(t, { settings: { SHEAF_ALLOWED_HOSTS: 'sheaf.test' } });
  const mara = await signUp();
  const from = (headers: Record<string, string>) =>
    mara.inject({
      method: 'POST',
      url: expireSessions.path,
      payload: { rTag: mara.session.rTag },
      headers: { host: 'sheaf.test', ...headers },
    });
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    assert.equal((await from(headers)).statusCode, 401, JSON.stringify(headers));
  for (const headers of [{ origin: 'http://sheaf.test' }, { 'sec-fetch-site': 'same-origin' }, {}])
    assert.equal((await from(headers)).statusCode, 200);
});

test('an unknown call and a wrong method give different errors', async (t) => {
  const { visitor } = await testApp(t);
  const someone = visitor();
  const missing = await someone.inject({ url: '/rest/nothing?secret=1' });
  assert.deepEqual([missing.statusCode, missing.json<contract.ErrorAnswer>().messageCode], [404, 'NOT_FOUND']);
  const wrong = await someone.inject({ url: logout.path });
  assert.deepEqual([wrong.statusCode, wrong.headers.allow], [405, 'POST']);
});

test('an unreadable body is refused with a row of the table', async (t) => {
  const { visitor } = await testApp(t);
  const send = async (payload: string, type: string) => {
    const answer = await visitor().inject({ method: 'POST', url: emailLogin.path, payload, headers: { 'content-type': type } });
    return [answer.statusCode, answer.json<contract.ErrorAnswer>().messageCode];
  };
  assert.deepEqual(await send('{"email":', 'application/json'), [400, 'MALFORMED_REQUEST']);
  assert.deepEqual(await send('{"__proto__":{}}', 'application/json'), [400, 'MALFORMED_REQUEST']);
  assert.deepEqual(await send('x', 'multipart/form-data'), [400, 'MALFORMED_REQUEST']);
  assert.deepEqual(await send('x', 'text/csv'), [400, 'MALFORMED_REQUEST']);
  assert.deepEqual(await send(`email=${'x'.repeat(1_100_000)}`, 'application/x-www-form-urlencoded'), [413, 'BODY_TOO_LARGE']);
  assert.deepEqual(await send('email=a', 'application/x-www-form-urlencoded'), [400, 'MISSING_PARAMETER']);
});

test('every answer forbids inline scripts, frames and type sniffing', async (t) => {
  const { visitor } = await testApp(t);
  for (const url of ['/', '/rest/account/session', '/healthz', '/nowhere']) {
    const { headers } = await visitor().inject({ url });
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'same-origin');
  }
});

test('readiness queries the database, and metrics count requests by route without addresses', async (t) => {
  const { visitor, services } = await testApp(t);
  await services.background.idle();
  const someone = visitor();
  assert.equal((await someone.inject({ url: '/readyz' })).statusCode, 200);
  await someone.inject({ url: '/rest/account/session?token=hidden' });
  const metrics = (await someone.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body;
  assert.match(metrics, /sheaf_http_request_seconds_count\{method="GET",route="\/rest\/account\/session",status="401"\} 1/);
  assert.ok(!metrics.includes('hidden'));
  assert.match(metrics, /sheaf_jobs\{kind="billing.settle",state="ready"\} 1/);
  await services.database.close();
  assert.equal((await someone.inject({ url: '/healthz' })).statusCode, 200);
  assert.equal((await someone.inject({ url: '/readyz' })).statusCode, 503);
});

test('metrics are open to this machine while nobody else can reach Sheaf, and otherwise to holders of the token', async (t) => {
  const statusOf = async (settings: Readonly<Record<string, string>>, remoteAddress: string, token?: string): Promise<number> => {
    const { app } = await testApp(t, { settings });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
  };
  const isPublic = { SHEAF_PUBLIC_URL: 'https://sheaf.test' };
  const withToken = { ...isPublic, SHEAF_METRICS_TOKEN: 'long-and-random' };
  assert.deepEqual([await statusOf({}, '127.0.0.1'), await statusOf({}, '::1'), await statusOf({}, '192.168.1.7')], [200, 200, 404]);
  assert.equal(await statusOf(isPublic, '127.0.0.1'), 404);
  assert.deepEqual(
    [await statusOf(withToken, '192.168.1.7', 'long-and-random'), await statusOf(withToken, '127.0.0.1', 'guessed')],
    [200, 404],
  );
});

test('a database that stays silent counts as one that does not answer', async (t) => {
  const app = fastify();
  t.after(() => app.close());
  healthRoutes(app, { ping: () => new Promise<never>(() => undefined), timeout: 20 });
  const answer = await app.inject({ url: '/readyz' });
  assert.deepEqual([answer.statusCode, answer.body], [503, 'the database does not answer\n']);
});

test('the client address is taken from X-Forwarded-For only when a trusted proxy says so', async (t) => {
  const seenBy = async (settings: Record<string, string>) => {
    const { signUp, visitor } = await testApp(t, { settings });
    const { email, password } = await signUp();
    const device = visitor();
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    await device.inject({ method: 'POST', url: emailLogin.path, payload: { email, password }, headers });
    return (await device.ask(contract.listSessions, {})).sessions.find(({ current }) => current)?.address;
  };
  assert.equal(await seenBy({}), '127.0.0.1');
  assert.equal(await seenBy({ SHEAF_TRUSTED_PROXIES: '127.0.0.0/8' }), '203.0.113.9');
});

test('a full disk of this machine, whatever was to be written, is reported as such and may be retried', async (t) => {
  const app = fastify();
  t.after(() => app.close());
  answerErrors(app);
  app.get('/:code', async (request) => {
    const { code } = request.params as { readonly code: string };
    throw Object.assign(new Error('write'), { code, syscall: 'write' });
  });
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const answer = await app.inject(`/${code}`);
    assert.deepEqual([answer.statusCode, answer.json<{ messageCode: string }>().messageCode], [503, 'DATABASE_FULL']);
    assert.ok(answer.headers['retry-after']);
  }
});
