import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { addFolder, familyCalls, linkUriOf } from '@sheaf/contract';
import { type B2, startB2 } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, listRoot, rowsOf } from '#/testing/links.ts';

const { b2 } = familyCalls;
let simulator: B2;
before(async () => {
  simulator = await startB2();
  simulator.seed();
});
after(async () => {
  simulator.assertClean();
  await simulator.stop();
});

const setting = async (t: TestContext) => {
  const app = await testApp(t, { settings: { SHEAF_B2_API_URL: simulator.url } });
  return { ...app, user: await app.signUp() };
};
const B2Draft = { provider: 'B2', linkName: 'Backups' } as const;

test('an account is verified, completed, linked with the result of the check, and read', async (t) => {
  const app = await setting(t);
  const verdict = await app.user.ask(b2.verify, draftOf(simulator.masterKey, B2Draft));
  assert.equal(verdict.isValid, true);
  const completed = verdict.completedConnectionInfo ?? {};
  const { userLinkId } = await app.user.ask(b2.add, draftOf(completed, B2Draft));
  const [row] = await rowsOf(app.user);
  assert.equal(row?.state, 'ok');
  assert.equal(row?.sourceAccountName, completed['account'], 'the account is shown, not the id of its key');
  assert.ok((await listRoot(app, userLinkId)).length > 0);
});

test('two keys of one account are the same account', async (t) => {
  const { user } = await setting(t);
  const link = async (key: Readonly<Record<string, string>>) =>
    (await user.ask(b2.verify, draftOf(key, B2Draft))).completedConnectionInfo ?? {};
  await user.ask(b2.add, draftOf(await link(simulator.masterKey), B2Draft));
  const other = await link(simulator.addKey({}));
  assert.equal((await user.refusal(b2.verify, draftOf(other, { provider: 'B2' }))).errorCode, 420);
});

test('a read-only link refuses to write [B2-22]', async (t) => {
  const { user } = await setting(t);
  const completed = (await user.ask(b2.verify, draftOf({ ...simulator.masterKey, allowWrite: 'DISALLOW_WRITE' }, B2Draft)))
    .completedConnectionInfo;
  const { userLinkId } = await user.ask(b2.add, draftOf(completed ?? {}, B2Draft));
  const refusal = await user.refusal(addFolder, { parentLinkUri: linkUriOf(userLinkId, '/'), folderName: 'New' });
  assert.match(refusal.messageCode, /^SOURCE_(?:CANNOT|FORBIDS)$/);
});
