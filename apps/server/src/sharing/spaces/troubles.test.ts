import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteLink,
  getMetadata,
  inviteToSpace,
  linkUriOf,
  listSpaces,
  moveSandboxClock,
  products,
  purchasePremium,
  tokenizeSandboxCard,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { rowsOf } from '#/testing/links.ts';
import { mailsTo } from '#/testing/outbox.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const spaceStateOf = async (user: User) => (await user.ask(listSpaces, {})).spaces[0]?.state;
const stateOf = async (user: Parameters<typeof rowsOf>[0]) => {
  const row = (await rowsOf(user)).find(({ formType }) => formType === 'SPACES');
  return { state: row?.state, attention: row?.attention };
};

test('the link to a space needs attention among the links of every member once its storage is unlinked', async (t) => {
  const app = await spaceApp(t);
  const member = await app.signUp();
  await join(app, app.space, member, 'viewer');
  assert.deepEqual(await stateOf(member), { state: 'ok', attention: undefined });
  await app.user.ask(deleteLink, { userLinkId: app.storageId });
  for (const user of [member, app.user]) {
    const { state, attention } = await stateOf(user);
    assert.equal(state, 'attention');
    assert.match(attention ?? '', /has unlinked the storage of "Team"\./);
  }
});

test("the link to a space needs attention once its owner's subscription has ended", async (t) => {
  let time = 1_800_000_000;
  const app = await spaceApp(t, { hasTrial: true, now: () => time });
  const member = await app.signUp();
  await join(app, app.space, member, 'viewer');
  assert.equal((await stateOf(member)).state, 'ok');
  time += 8 * 86_400;
  const { state, attention } = await stateOf(member);
  assert.equal(state, 'attention');
  assert.match(attention ?? '', /subscription to Spaces has ended\. The files of "Team"/);
});

test("when the owner's subscription ends members are told, and when it is renewed the space is back", async (t) => {
  let time = Math.floor(Date.now() / 1000);
  const app = await spaceApp(t, { now: () => time, hasTrial: true });
  const { user, space } = app;
  const noor = await app.signUp();
  const { userLinkId } = await join(app, space, noor, 'editor');
  const linkUri = linkUriOf(userLinkId, '/plan.txt');
  await noor.ask(getMetadata, { linkUri });
  await user.ask(moveSandboxClock, { days: products.premium.trialDays + 1 });
  time += 3;
  const refusal = await noor.refusal(getMetadata, { linkUri });
  assert.deepEqual(
    [refusal.errorCode, refusal.message],
    [
      751,
      'Mara\'s subscription to Spaces has ended. The files of "Team" are kept where they are and can be reached again when it is renewed.',
    ],
  );
  const own = await user.refusal(getMetadata, { linkUri: linkUriOf(space.userLinkId, '/plan.txt') });
  assert.deepEqual(
    [own.errorCode, own.message],
    [759, 'Your subscription to Spaces has ended. The files of "Team" are kept where they are and can be reached again when you renew it.'],
  );
  assert.match((await stateOf(user)).attention ?? '', /^Your subscription to Spaces has ended\./);
  assert.deepEqual([await spaceStateOf(noor), await spaceStateOf(user)], ['expired', 'expired']);
  assert.equal((await user.refusal(inviteToSpace, { spaceOid: space.spaceOid, emails: 'a@example.org', role: 'viewer' })).errorCode, 759);
  await buyPremium(user);
  time += 3;
  assert.ok(await noor.ask(getMetadata, { linkUri }));
  assert.equal(await spaceStateOf(noor), 'ok');
});

async function buyPremium(user: User): Promise<void> {
  const card = { number: '4111111111111111', month: '12', year: '2040', first_name: 'Mara', last_name: 'Lind', cvv: '123' };
  const made = tokenizeSandboxCard(card, crypto.randomUUID());
  assert.ok('token' in made);
  await user.ask(purchasePremium, { recurlyPlan: products.premium.plan, trialState: false, track: '', recurlyBillingToken: made.token });
}

test("when the owner's subscription has ended, all other members are notified, once", async (t) => {
  const app = await spaceApp(t, { hasTrial: true });
  const { user, space, services } = app;
  const noor = await app.signUp();
  await join(app, space, noor, 'viewer');
  await user.ask(inviteToSpace, { spaceOid: space.spaceOid, emails: 'sam@example.org', role: 'viewer' });
  const told = async (who: { email: string }) =>
    (await mailsTo(app, who.email)).filter((mail) => mail.includes('Subject: The files of Team cannot be reached'));
  await services.subscriptions.settle();
  assert.deepEqual(await told(noor), []);
  await user.ask(moveSandboxClock, { days: products.premium.trialDays + 1 });
  await services.subscriptions.settle();
  const [mail = '', ...more] = await told(noor);
  assert.match(mail, /Mara's subscription to Spaces has ended\. The files of the space Team are still there/);
  await services.subscriptions.settle();
  assert.deepEqual([more.length, (await told(noor)).length], [0, 1]);
  assert.deepEqual([await told(user), await told({ email: 'sam@example.org' })], [[], []]);
});

test('a trial that is replaced by a purchase is not an end: nobody is notified', async (t) => {
  const app = await spaceApp(t, { hasTrial: true });
  const noor = await app.signUp();
  await join(app, app.space, noor, 'viewer');
  const before = (await mailsTo(app, noor.email)).length;
  await buyPremium(app.user);
  await app.user.ask(moveSandboxClock, { days: products.premium.trialDays + 1 });
  await app.services.subscriptions.settle();
  assert.equal((await mailsTo(app, noor.email)).length, before);
});
