import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { familyCalls, getDefaultSourceName, getLinkConnectionInfo, secretMask } from '@sheaf/contract';
import { draftOf, linkApp, listRoot, rowsOf } from '#/testing/links.ts';

const b2Info = { accountId: 'key-id', applicationKey: 'b2-secret', allowWrite: 'DISALLOW_WRITE' };
const oracleInfo = { url: 'https://docs.example', username: 'mara', password: 'oracle-secret' };
const { b2, oracledocuments: oracle } = familyCalls;
const keyApp = (t: TestContext) => linkApp(t, { secrets: ['password', 'applicationKey'] });

test('B2: a working connection returns the info to save, with the key as it was sent [API-23]', async (t) => {
  const { user } = await keyApp(t);
  const verdict = await user.ask(b2.verify, draftOf(b2Info, { provider: 'B2', linkName: 'Backup' }));
  assert.deepEqual(verdict, { isValid: true, completedConnectionInfo: b2Info });
  assert.deepEqual(await rowsOf(user), []);
});

test('B2: wrong key, signature and missing bucket are reported as different errors', async (t) => {
  const { user, refuse } = await keyApp(t);
  for (const [kind, code] of [
    ['wrongKey', 424],
    ['wrongSignature', 425],
    ['noBucket', 426],
    ['unreachable', 652],
  ] as const) {
    refuse(kind);
    assert.equal((await user.refusal(b2.verify, draftOf(b2Info, { provider: 'B2' }))).errorCode, code);
  }
});

test('B2: a link is saved, shown with its key masked, and changed without sending the key again [API-24] [API-25]', async (t) => {
  const app = await keyApp(t);
  const { user, source } = app;
  const { userLinkId, linkName } = await user.ask(b2.add, draftOf(b2Info, { provider: 'B2' }));
  assert.equal(linkName, 'My B2 Cloud Storage');
  const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
  assert.deepEqual(connectionInfo, { ...b2Info, applicationKey: secretMask });
  const changed = { ...connectionInfo, allowWrite: 'ALLOW_WRITE' };
  await user.ask(b2.update, draftOf(changed, { provider: 'B2', userLinkId, linkName: 'Backup', continueAnyway: true }));
  await listRoot(app, userLinkId);
  assert.deepEqual(source.lastInfo, { ...b2Info, allowWrite: 'ALLOW_WRITE' });
  assert.deepEqual(
    (await rowsOf(user)).map(({ name, formType }) => [name, formType]),
    [['Backup', 'B2']],
  );
});

test('Oracle Documents: a check answers, a link is saved under its default name and changed [API-13] [API-20] [API-21] [API-22]', async (t) => {
  const app = await keyApp(t);
  const { user, refuse, source } = app;
  const { linkName } = await user.ask(getDefaultSourceName, { sourceType: 'OracleDocuments' });
  assert.equal(linkName, 'My Oracle Documents Server');
  assert.deepEqual(await user.ask(oracle.validate, draftOf(oracleInfo, { serverName: linkName })), { isValid: true });
  refuse('unauthorized');
  const verdict = await user.ask(oracle.validate, draftOf(oracleInfo));
  assert.deepEqual([verdict.isValid, verdict.errorCode], [false, 422]);
  refuse();
  const saved = await user.ask(oracle.add, draftOf(oracleInfo, { serverName: linkName }));
  assert.deepEqual([saved.linkName, (await rowsOf(user))[0]?.formType], [linkName, 'ORACLE']);
  const { userLinkId } = saved;
  const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
  assert.equal(connectionInfo['password'], secretMask);
  const wish = { userLinkId, serverName: 'Documents', continueAnyway: true };
  const elsewhere = { ...connectionInfo, url: 'https://other.example' };
  assert.equal((await user.refusal(oracle.update, draftOf(elsewhere, wish))).messageCode, 'SECRETS_NEEDED');
  const changed = draftOf({ ...elsewhere, password: 'entered anew' }, wish);
  assert.equal((await user.ask(oracle.update, changed)).linkName, 'Documents');
  await listRoot(app, userLinkId);
  assert.deepEqual(source.lastInfo, { ...oracleInfo, url: 'https://other.example', password: 'entered anew' });
});
