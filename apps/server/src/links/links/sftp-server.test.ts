import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { familyCalls, getLinkConnectionInfo, secretMask } from '@sheaf/contract';
import { type OpensshServer, makeSshKey, startOpenssh } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, listRoot, rowsOf, sftpInfo } from '#/testing/links.ts';

const { validate, add, update } = familyCalls.sftp;
let openssh: OpensshServer;
before(async () => {
  openssh = await startOpenssh();
});
after(() => openssh.stop());

const setting = async (t: TestContext) => {
  const app = await testApp(t);
  return { ...app, user: await app.signUp() };
};
const overSsh = () => ({ ...sftpInfo, server: `${openssh.host}:${openssh.port}`, username: openssh.username, password: openssh.password });

test('an SFTP account is checked, linked and read; its stored password is used for an edit', async (t) => {
  const app = await setting(t);
  await writeFile(join(openssh.home, 'hello.txt'), 'hello');
  assert.deepEqual(await app.user.ask(validate, draftOf(overSsh())), { isValid: true });
  const { userLinkId } = await app.user.ask(add, draftOf(overSsh(), { serverName: 'NAS' }));
  const [row] = await rowsOf(app.user);
  assert.deepEqual([row?.state, row?.sourceAccountName], ['ok', `${openssh.username}@${openssh.host}:${openssh.port}`]);
  assert.ok((await listRoot(app, userLinkId)).includes('hello.txt'));

  const { connectionInfo } = await app.user.ask(getLinkConnectionInfo, { userLinkId });
  assert.equal(connectionInfo['password'], secretMask);
  assert.deepEqual(await app.user.ask(validate, draftOf(connectionInfo, { userLinkId })), { isValid: true });
  await app.user.ask(update, draftOf({ ...connectionInfo, path: '' }, { userLinkId, serverName: 'NAS 2' }));
  assert.ok((await listRoot(app, userLinkId)).includes('hello.txt'));
});

test('a real SFTP server distinguishes a wrong password from an unreachable server [ERR-21] [ERR-32]', async (t) => {
  const { user } = await setting(t);
  const wrong = await user.ask(validate, draftOf({ ...overSsh(), password: 'wrong' }));
  assert.deepEqual([wrong.isValid, wrong.errorCode, wrong.message], [false, 422, 'The user name or password is not correct.']);
  const gone = await user.ask(validate, draftOf({ ...overSsh(), server: '127.0.0.1:1' }));
  assert.deepEqual([gone.isValid, gone.errorCode], [false, 652]);
  assert.equal(gone.message, 'Cannot connect to SFTP server. Please check your network connection and try again later.');
});

test('a host key that has changed is refused until the user accepts the new one', async (t) => {
  const app = await setting(t);
  const first = await startOpenssh({ hostKey: (await makeSshKey()).privateKey });
  const info = { ...sftpInfo, server: `${first.host}:${first.port}`, username: first.username, password: first.password };
  await app.user.ask(validate, draftOf(info));
  const { userLinkId } = await app.user.ask(add, draftOf(info));
  await first.stop();
  const second = await startOpenssh({ port: first.port, hostKey: (await makeSshKey()).privateKey });
  t.after(() => second.stop());
  const now = { ...info, username: second.username, password: second.password };
  const verdict = await app.user.ask(validate, draftOf(now, { userLinkId }));
  assert.deepEqual([verdict.isValid, verdict.errorCode], [false, 700]);
  const accepted = { ...now, acceptedHostKey: verdict.hostKey ?? '' };
  assert.deepEqual(await app.user.ask(validate, draftOf(accepted, { userLinkId })), { isValid: true });
  await app.user.ask(update, draftOf(accepted, { userLinkId }));
  assert.deepEqual(await app.user.ask(validate, draftOf(now, { userLinkId })), { isValid: true }, 'the accepted key is remembered');
});

test('private addresses are refused as unreachable where the operator forbids them', async (t) => {
  const app = await testApp(t, { settings: { SHEAF_PRIVATE_NETWORKS: 'deny' } });
  const verdict = await (await app.signUp()).ask(validate, draftOf(overSsh()));
  assert.deepEqual([verdict.isValid, verdict.errorCode], [false, 652]);
});
