import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import { type AppPasswordRights, createAppPassword, deleteAppPassword, linkUriOf, removeSpaceMember } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { buildApp } from '#/app.ts';
import { type TestApp, type User, testApp } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';
import { namesOf } from './address.ts';

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A program that has signed in with a new app password. */
async function program(user: User, url: string, folders: readonly string[] = [], rights: AppPasswordRights = 'write') {
  const made = await user.ask(createAppPassword, { name: 'Test', linkUri: [...folders], rights });
  const authorization = `Basic ${Buffer.from(`${made.username}:${made.password}`).toString('base64')}`;
  const ask = async (method: string, path: string, { headers = {}, body }: Options = {}) => {
    const answer = await fetch(url + path, { method, headers: { authorization, ...headers }, ...(body !== undefined && { body }) });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    ...made,
    authorization,
    ask,
    status: async (...args: Parameters<typeof ask>) => (await ask(...args)).status,
    /** The addresses that a PROPFIND shows, without /dav. */
    async list(path: string): Promise<string[]> {
      const { status, text } = await ask('PROPFIND', path, { headers: { depth: '1' } });
      assert.equal(status, 207, text);
      return [...text.matchAll(/<D:response><D:href>\/dav([^<]*)</g)].map(([, href = '']) => href);
    },
  };
}
const listening = async (t: TestContext, { app }: Pick<TestApp, 'app'>): Promise<string> => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  return url;
};
const lockBody = (scope: 'exclusive' | 'shared'): string =>
  `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>me</D:owner></D:lockinfo>`;

test('a program sees links, reads ranges, and its changes show at once on screen and in the next listing', async (t) => {
  const app = await linkApp(t);
  const url = await listening(t, app);
  await addSftp(app.user, 'My NAS');
  app.source.put('/docs/a & b.txt', 'hello');
  const { ask, list, status } = await program(app.user, url);
  assert.deepEqual((await list('/dav/')).sort(), ['/', '/My%20NAS/']);
  assert.deepEqual(await list('/dav/My%20NAS/docs'), ['/My%20NAS/docs/', '/My%20NAS/docs/a%20%26%20b.txt']);
  const range = await ask('GET', '/dav/My%20NAS/docs/a%20%26%20b.txt', { headers: { range: 'bytes=1-2' } });
  assert.deepEqual([range.status, range.text], [206, 'el']);
  const put = await ask('PUT', '/dav/My%20NAS/docs/new.txt', { body: 'bytes', headers: { 'x-oc-mtime': '1700000000' } });
  assert.deepEqual([put.status, put.headers.get('x-oc-mtime')], [201, 'accepted']);
  const etag = put.headers.get('etag') ?? '';
  const found = await ask('PROPFIND', '/dav/My%20NAS/docs/new.txt', { headers: { depth: '0' } });
  assert.ok(found.text.includes(`<D:getetag>${etag}</D:getetag>`), found.text);
  assert.equal(await status('PUT', '/dav/My%20NAS/docs/new.txt', { body: 'x', headers: { 'if-none-match': '*' } }), 412);
  assert.equal(await status('PUT', '/dav/My%20NAS/docs/new.txt', { body: 'x', headers: { 'if-match': '"other"' } }), 412);
  assert.equal(await status('PUT', '/dav/My%20NAS/docs/new.txt', { body: 'x', headers: { 'if-match': etag } }), 204);
  assert.equal(await status('PUT', '/dav/My%20NAS/docs', { body: 'x' }), 405);
  assert.equal(await status('PUT', '/dav/My%20NAS/none/new.txt', { body: 'x' }), 409);
  assert.equal(await status('DELETE', '/dav/My%20NAS/'), 403);
  assert.equal(await status('MKCOL', '/dav/other'), 404);
  assert.equal(await status('MKCOL', '/dav/'), 405);
  const deep = await ask('PROPFIND', '/dav/', { headers: { depth: 'infinity' } });
  assert.ok(deep.status === 403 && deep.text.includes('<D:propfind-finite-depth>'));
  const entities = '<!DOCTYPE x [<!ENTITY a "b">]><D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>';
  assert.equal(await status('PROPFIND', '/dav/', { headers: { depth: '0' }, body: entities }), 400);
  assert.equal(await status('PROPFIND', '/dav/', { headers: { depth: '0' }, body: ' '.repeat(200_000) }), 413);
  for (const path of ['/dav/My%20NAS/..%2f..', '/dav/My%20NAS/a%00', '/dav/%zz', '/dav//x'])
    assert.ok([400, 404].includes(await status('GET', path)), path);
});

test('an app password opens its folders only, reads where it may only read, and nothing without it', async (t) => {
  const app = await linkApp(t);
  const url = await listening(t, app);
  const { userLinkId } = await addSftp(app.user, 'NAS');
  await addSftp(app.user, 'Other');
  app.source.put('/docs/open/a.txt', 'a');
  app.source.put('/docs/closed/b.txt', 'b');
  app.source.put('/docs/opening.txt', 'c');
  const limited = await program(app.user, url, [linkUriOf(userLinkId, '/docs/open')]);
  assert.deepEqual(await limited.list('/dav/'), ['/', '/NAS/']);
  assert.deepEqual(await limited.list('/dav/NAS/docs/'), ['/NAS/docs/', '/NAS/docs/open/']);
  assert.deepEqual(await limited.list('/dav/NAS/docs/open/'), ['/NAS/docs/open/', '/NAS/docs/open/a.txt']);
  for (const path of ['/dav/NAS/docs/closed/b.txt', '/dav/NAS/docs/opening.txt', '/dav/Other/docs/open/a.txt'])
    assert.equal(await limited.status('GET', path), 404, path);
  const destination = (path: string) => ({ headers: { destination: url + path } });
  assert.equal(await limited.status('COPY', '/dav/NAS/docs/open/a.txt', destination('/dav/NAS/docs/closed/a.txt')), 404);
  assert.equal(await limited.status('MOVE', '/dav/NAS/docs/open/a.txt', destination('/dav/NAS/docs/x.txt')), 404);
  assert.equal(await limited.status('COPY', '/dav/NAS/docs/open/a.txt', { headers: { destination: 'http://other.example/dav/x' } }), 502);
  assert.equal(await limited.status('COPY', '/dav/NAS/docs/open/a.txt', destination('/dav/NAS/docs/open/a2.txt')), 201);
  assert.equal(await limited.status('PUT', '/dav/NAS/docs/new.txt', { body: 'x' }), 404);

  const reader = await program(app.user, url, [], 'read');
  assert.equal((await reader.ask('GET', '/dav/NAS/docs/open/a.txt')).text, 'a');
  for (const method of ['PUT', 'DELETE', 'MKCOL', 'PROPPATCH', 'LOCK'])
    assert.equal(await reader.status(method, '/dav/NAS/docs/y'), 403, method);

  const stranger = await app.signUp();
  const other = await program(stranger, url);
  assert.deepEqual(await other.list('/dav/'), ['/']);
  assert.equal(await other.status('GET', '/dav/NAS/docs/open/a.txt'), 404);

  const anonymous = await fetch(`${url}/dav/NAS/`, { headers: { cookie: [...app.user.cookies].map((pair) => pair.join('=')).join('; ') } });
  assert.deepEqual([anonymous.status, anonymous.headers.get('www-authenticate')], [401, 'Basic realm="Sheaf", charset="UTF-8"']);
  const foreign = { authorization: limited.authorization, origin: 'https://evil.example' };
  assert.equal((await fetch(`${url}/dav/NAS/docs/open/a.txt`, { headers: foreign })).status, 403);
  const options = await fetch(`${url}/dav/`, { method: 'OPTIONS' });
  assert.deepEqual([options.status, options.headers.get('dav'), options.headers.get('access-control-allow-origin')], [200, '1, 2', null]);
  await app.user.ask(deleteAppPassword, { appPasswordId: limited.appPassword.appPasswordId });
  assert.equal(await limited.status('GET', '/dav/NAS/docs/open/a.txt'), 401);
});

test('over plain http a password is accepted from this machine only', async (t) => {
  const app = await testApp(t, { settings: { SHEAF_TRUSTED_PROXIES: '127.0.0.0/8' } });
  const user = await app.signUp();
  const url = await listening(t, app);
  const { authorization } = await program(user, url);
  const from = (headers: Record<string, string>) =>
    fetch(`${url}/dav/`, { headers: { authorization, 'x-forwarded-for': '192.0.2.1', ...headers } });
  const refused = await from({});
  assert.ok(refused.status === 403 && (await refused.text()).includes('over https only'));
  assert.equal((await from({ 'x-forwarded-proto': 'https' })).status, 200);
});

test('locks hold for all who reach an item, on two instances, and reserve a name without storing anything', async (t) => {
  const app = await spaceApp(t);
  const url = await listening(t, app);
  const other = await buildApp(await app.secondInstance({ findDefinition: async () => app.source.definition }));
  const otherUrl = await listening(t, { app: other });
  const noor = await app.signUp();
  const space = await join(app, app.space, noor, 'editor');
  const [owner, member] = [await program(app.user, url), await program(noor, otherUrl)];
  // Without a stored listing of the folder it is not known whether a file is new.
  const isStored = (status: number) => assert.ok(status === 201 || status === 204, String(status));
  const [at, there] = ['/dav/NAS/projects/team', `/dav/${encodeURIComponent(space.linkName)}`];
  const taken = await owner.ask('LOCK', `${at}/plan.txt`, { body: lockBody('exclusive'), headers: { timeout: 'Second-600' } });
  assert.equal(taken.status, 200, taken.text);
  const token = taken.headers.get('lock-token') ?? '';
  assert.match(taken.text, /<D:timeout>Second-600<\/D:timeout>/);
  assert.equal(await member.status('PUT', `${there}/plan.txt`, { body: 'x' }), 423);
  assert.equal(await member.status('PUT', `${there}/plan.txt`, { body: 'x', headers: { if: `(${token})` } }), 423);
  assert.equal(await member.status('DELETE', `${there}/plan.txt`), 423);
  assert.equal(await member.status('UNLOCK', `${there}/plan.txt`, { headers: { 'lock-token': token } }), 403);
  isStored(await owner.status('PUT', `${at}/plan.txt`, { body: 'new', headers: { if: `(${token})` } }));
  assert.equal(await owner.status('PUT', `${at}/plan.txt`, { body: 'new', headers: { if: '(<urn:uuid:other>)' } }), 412);
  assert.equal(await owner.status('UNLOCK', `${at}/plan.txt`, { headers: { 'lock-token': token } }), 204);
  isStored(await member.status('PUT', `${there}/plan.txt`, { body: 'mine' }));

  const reserved = await member.ask('LOCK', `${there}/later.txt`, { body: lockBody('exclusive') });
  assert.equal(reserved.status, 201);
  assert.equal(await owner.status('PUT', `${at}/later.txt`, { body: 'x' }), 423);
  const empty = await owner.ask('GET', `${at}/later.txt`);
  assert.deepEqual([empty.status, empty.text, empty.headers.get('etag')], [200, '', null]);
  assert.equal(await owner.status('HEAD', `${at}/later.txt`), 200);
  assert.equal(await owner.status('DELETE', `${at}/later.txt`), 423);
  // davfs2 forgets a file that is about to be written when its folder leaves it out.
  assert.equal((await owner.list(`${at}/`)).filter((href) => href.endsWith('/later.txt')).length, 1);
  const [first, second] = await Promise.all([
    owner.ask('LOCK', `${at}/both.txt`, { body: lockBody('exclusive') }),
    member.ask('LOCK', `${there}/both.txt`, { body: lockBody('exclusive') }),
  ]);
  assert.deepEqual(new Set([first?.status, second?.status]), new Set([201, 423]));

  const unwanted = await owner.ask('LOCK', `${at}/unwanted.txt`, { body: lockBody('exclusive') });
  assert.equal(await owner.status('DELETE', `${at}/unwanted.txt`, { headers: { if: `(${unwanted.headers.get('lock-token')})` } }), 204);
  assert.equal(await owner.status('GET', `${at}/unwanted.txt`), 404);

  const properties =
    '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:colour xmlns:x="urn:x">red</x:colour></D:prop></D:set></D:propertyupdate>';
  assert.equal(await member.status('PROPPATCH', `${there}/plan.txt`, { body: properties }), 207);
  const read = await owner.ask('PROPFIND', `${at}/plan.txt`, { headers: { depth: '0' } });
  assert.ok(read.text.includes('<colour xmlns="urn:x">red</colour>'), read.text);
  await app.user.ask(removeSpaceMember, { spaceOid: app.space.spaceOid, memberId: await membershipOf(app, noor) });
  assert.equal(await eventually(async () => (await member.status('GET', `${there}/plan.txt`)) === 404, 'the right has ended'), true);
  // Nobody else can release the lock of a member who has left.
  isStored(await owner.status('PUT', `${at}/later.txt`, { body: 'x' }));
});

async function membershipOf(app: TestApp, { userId }: User): Promise<string> {
  const row = await app.services.db.selectFrom('space_member').select('id').where('accountId', '=', userId).executeTakeFirstOrThrow();
  return row.id;
}

test('a storage that refuses the login of the link makes no client ask for its own password again', async (t) => {
  const app = await linkApp(t);
  const url = await listening(t, app);
  await addSftp(app.user, 'My NAS');
  app.source.setGate(() => {
    throw new ConnectorError('unauthorized', 'no');
  });
  const { ask } = await program(app.user, url);
  for (const [method, path] of [
    ['PROPFIND', '/dav/My%20NAS/docs'],
    ['GET', '/dav/My%20NAS/a.txt'],
    ['PUT', '/dav/My%20NAS/b.txt'],
  ] as const) {
    const { status, headers, text } = await ask(method, path, { ...(method === 'PUT' && { body: 'x' }) });
    assert.deepEqual([status, headers.get('www-authenticate')], [403, null], `${method}: ${text}`);
  }
});

test('a client that waits with its body hears the refusal before it has sent a byte', async (t) => {
  const app = await linkApp(t);
  const url = await listening(t, app);
  await addSftp(app.user, 'NAS');
  const { authorization, ask } = await program(app.user, url);
  const put = async (authorized: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write(
      `PUT /dav/NAS/a.txt HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorized}\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n`,
    );
    const [said] = (await once(socket, 'data')) as [Buffer];
    if (said.toString().startsWith('HTTP/1.1 100')) socket.write('hello');
    // The server would wait for its body before it closes.
    else socket.destroy();
    return said.toString().slice(0, 12);
  };
  assert.equal(await put('Basic eDp5'), 'HTTP/1.1 401');
  assert.equal(await put(authorization), 'HTTP/1.1 100');
  await eventually(async () => (await ask('GET', '/dav/NAS/a.txt')).text === 'hello', 'the body has arrived');
});

test('no address leads out of its folder', () => {
  for (const path of ['/dav/NAS/%2e%2e/x', '/dav/NAS/..', '/dav/./x', '/dav/a%2fb', '/dav/a%5c..', '/davx', '/dav/a#b', '/dav/%ff'])
    assert.equal(namesOf(path), undefined, path);
  assert.deepEqual(namesOf('/dav/My%20NAS/%C3%BC/'), { names: ['My NAS', 'ü'], isFolder: true });
});
