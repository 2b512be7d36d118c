import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { familyCalls, getLinkConnectionInfo, secretMask } from '@sheaf/contract';
import { type FileServer, startFileServer } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, listRoot, rowsOf } from '#/testing/links.ts';

let server: FileServer;
before(async () => {
  server = await startFileServer();
  await writeFile(join(server.root, 'hello.txt'), 'hello');
});
after(() => server.stop());

const setting = async (t: TestContext) => {
  const app = await testApp(t);
  return { ...app, user: await app.signUp() };
};
const login = () => ({ server: server.url, username: server.user, password: server.password });
const connection = () => ({ server: server.url, authjson: server.connection });

test('a Sheaf file server is checked, linked, read and changed [API-35] [API-36] [API-37]', async (t) => {
  const app = await setting(t);
  const { validate, add, update } = familyCalls.ofs;
  assert.deepEqual(await app.user.ask(validate, draftOf(login())), { isValid: true });
  const { userLinkId } = await app.user.ask(add, draftOf(login(), { serverName: 'Attic' }));
  const [row] = await rowsOf(app.user);
  assert.deepEqual([row?.state, row?.sourceAccountName], ['ok', `mara@127.0.0.1:${server.port}`]);
  assert.deepEqual(await listRoot(app, userLinkId), ['hello.txt']);
  const { connectionInfo } = await app.user.ask(getLinkConnectionInfo, { userLinkId });
  assert.deepEqual(connectionInfo, { ...login(), password: secretMask });
  assert.deepEqual(await app.user.ask(validate, draftOf(connectionInfo, { userLinkId })), { isValid: true });
  await app.user.ask(update, draftOf(connectionInfo, { userLinkId, serverName: 'Cellar' }));
  assert.deepEqual(await listRoot(app, userLinkId), ['hello.txt']);
});

test('a real file server distinguishes a wrong password from an unreachable server, and neither keeps the user from saving [OFS-13]', async (t) => {
  const { user } = await setting(t);
  const { validate, add } = familyCalls.ofs;
  const wrong = { ...login(), password: 'wrong' };
  assert.deepEqual(await user.ask(validate, draftOf(wrong)).then(({ isValid, errorCode }) => [isValid, errorCode]), [false, 422]);
  const gone = await user.ask(validate, draftOf({ ...login(), server: 'http://127.0.0.1:1' }));
  assert.deepEqual([gone.isValid, gone.errorCode], [false, 652]);
  const plain = await user.ask(validate, draftOf({ ...login(), server: `127.0.0.1:${server.port}` }));
  assert.deepEqual([plain.isValid, plain.errorCode], [false, 655]);
  assert.ok((await user.ask(add, draftOf(wrong))).userLinkId);
});

test('a gateway is checked while it is linked, and again when it is changed [API-38] [API-39]', async (t) => {
  const app = await setting(t);
  const { add, update } = familyCalls.sheafgateway;
  const { userLinkId } = await app.user.ask(add, draftOf(connection(), { linkName: 'Gate', validateConnection: true }));
  assert.deepEqual(await listRoot(app, userLinkId), ['hello.txt']);
  const { connectionInfo } = await app.user.ask(getLinkConnectionInfo, { userLinkId });
  assert.deepEqual(connectionInfo, { server: server.url, authjson: secretMask });
  await app.user.ask(update, draftOf(connectionInfo, { userLinkId, linkName: 'Gate 2', validateConnection: true }));
  assert.deepEqual(await listRoot(app, userLinkId), ['hello.txt']);
});

test('each fault of a gateway gives its own error [GW-02]', async (t) => {
  const { user } = await setting(t);
  const { id } = JSON.parse(server.connection) as { readonly id: string };
  const guessed = JSON.stringify({ sheafGateway: 1, id, secret: 'guessed' });
  const refusal = async (change: Partial<ReturnType<typeof connection>>) => {
    const draft = draftOf({ ...connection(), ...change }, { validateConnection: true });
    const { errorCode, messageCode } = await user.refusal(familyCalls.sheafgateway.add, draft);
    return [errorCode, messageCode];
  };
  assert.deepEqual(await refusal({ server: `127.0.0.1:${server.port}` }), [107, 'NO_SCHEMA_SUPPLIED']);
  assert.deepEqual(await refusal({ authjson: '{"some":"json"}' }), [107, 'INVALID_CONNECTION_JSON']);
  assert.deepEqual(await refusal({ authjson: 'no json' }), [107, 'INVALID_CONNECTION_JSON']);
  assert.deepEqual(await refusal({ authjson: guessed }), [424, 'INVALID_KEY']);
  assert.deepEqual(await refusal({ server: 'http://127.0.0.1:1' }), [652, 'CANNOT_CONNECT']);
  assert.deepEqual(await refusal({ server: `https://127.0.0.1:${server.port}` }), [655, 'CERTIFICATE_MISSING']);
});

test('a gateway that cannot be reached is linked when the user continues without the check', async (t) => {
  const { user } = await setting(t);
  const unreachable = { ...connection(), server: 'http://127.0.0.1:1' };
  const { add } = familyCalls.sheafgateway;
  assert.equal((await user.refusal(add, draftOf(unreachable, { validateConnection: true }))).errorCode, 652);
  assert.ok((await user.ask(add, draftOf(unreachable, { validateConnection: false }))).userLinkId);
});
