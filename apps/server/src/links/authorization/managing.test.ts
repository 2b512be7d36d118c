import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { manageCalls, orgManageCalls } from '@sheaf/contract';
import { rowsOf } from '#/testing/links.ts';
import { authorize, driveApp, mara, noor } from '#/testing/storages/drive.ts';

async function linked(t: TestContext) {
  const app = await driveApp(t);
  await authorize(app);
  const [link] = await rowsOf(app.user);
  assert.ok(link);
  return { ...app, userLinkId: link.userLinkId };
}
const { validate, update } = manageCalls;

test('a link made by authorization is checked at its provider and renamed [API-07] [API-09]', async (t) => {
  const { user, userLinkId } = await linked(t);
  assert.deepEqual(await user.ask(validate, { userLinkId, linkName: 'Work' }), { isValid: true });
  const saved = await user.ask(update, { userLinkId, linkName: 'Work' });
  assert.deepEqual([saved.linkName, saved.userLinkId, saved.browseUrl], ['Work', userLinkId, '/browse/Work']);
  assert.equal((await rowsOf(user))[0]?.state, 'ok');
});

test('a provider that refuses Sheaf makes the check not valid, and the user may continue anyway', async (t) => {
  const { user, userLinkId, drive } = await linked(t);
  drive.oauth.revokeAccount(mara.email);
  const verdict = await user.ask(validate, { userLinkId, linkName: 'Work' });
  assert.deepEqual([verdict.isValid, verdict.messageCode], [false, 'AUTHORIZATION_NEEDED']);
  assert.equal((await user.ask(update, { userLinkId, linkName: 'Work' })).linkName, 'Work');
});

test('names follow their rules: 222 for forbidden characters, 421 for a taken name; without a name the old one stays', async (t) => {
  const app = await linked(t);
  const { user, userLinkId } = app;
  await authorize(app, {}, noor);
  for (const call of [validate, update]) {
    assert.equal((await user.refusal(call, { userLinkId, linkName: 'a/b' })).errorCode, 222);
    assert.equal((await user.refusal(call, { userLinkId, serverName: 'my dropbox 2' })).errorCode, 421);
  }
  assert.equal((await user.ask(update, { userLinkId, linkName: '' })).linkName, 'My Dropbox');
  assert.equal((await user.ask(update, { userLinkId, linkName: 'my dropbox' })).linkName, 'my dropbox');
});

test('a check without a link, as the specification has it, checks the new name alone [API-07]', async (t) => {
  const { user } = await linked(t);
  for (const free of [{ serverName: 'Work' }, { serverName: 'Work', userLinkId: '' }, { serverName: '' }, {}])
    assert.deepEqual(await user.ask(validate, free), { isValid: true });
  assert.equal((await user.refusal(validate, { serverName: 'my dropbox' })).errorCode, 421);
  assert.equal((await user.refusal(validate, { serverName: 'a/b' })).errorCode, 222);
  assert.equal((await user.refusal(update, { serverName: 'Work' })).errorCode, 351);
});

test('only the owner edits a link, and for an organisation only its members', async (t) => {
  const { user, signUp, userLinkId } = await linked(t);
  const stranger = await signUp();
  for (const call of [validate, update]) assert.equal((await stranger.refusal(call, { userLinkId, linkName: 'Mine' })).errorCode, 351);
  for (const call of Object.values(orgManageCalls)) assert.equal((await user.refusal(call, { userLinkId, orgOid: 'o' })).errorCode, 351);
});
