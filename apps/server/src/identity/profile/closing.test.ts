import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptOrgInvitation,
  allLinks,
  closeAccount,
  createAuthCode,
  createWeblink,
  emailLogin,
  emailSignup,
  familyCalls,
  getClosing,
  getSession,
  inviteToOrg,
  isSession,
  linkUriOf,
  listAudit,
  makeToken,
  listSubscriptions,
  oneTransfer,
  openWeblink,
  planTransfer,
  products,
  prove,
  purchasePremium,
  remoteUpdate,
  reopenAccount,
  sandboxCards,
  showOrg,
  tokenizeSandboxCard,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { sql } from 'kysely';
import { newId } from '#/platform/ids.ts';
import type { Visitor } from '#/testing/app.ts';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';
import { mailAbout, mailedToken, mailsTo, newSubjects } from '#/testing/outbox.ts';
import { codeAt, stage as steps, withApp } from '#/testing/second-factors.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const day = 86_400;

/** Mara with a link, a share of it, and a command-line client. */
async function stage(t: TestContext) {
  const clock = { time: 1_800_000_000 };
  const app = await linkApp(t, { now: () => clock.time });
  app.source.put('/Trip/a.txt', 'kept');
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  const { sharelinkurl } = await app.user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip') });
  const { authCode } = await app.user.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await app.visitor().ask(makeToken, { authCode });
  const { email, password } = app.user;
  const closeIt = () => app.user.ask(closeAccount, { email, password });
  const clientWorks = async (): Promise<boolean> => {
    const answer = await app.visitor().inject({ url: getSession.path, headers: { authorization: `Bearer ${token}` } });
    return answer.statusCode === 200;
  };
  return Object.assign(clock, { ...app, userLinkId, weblinkId: sharelinkurl.split('/').at(-1) ?? '', closeIt, clientWorks });
}

const closingOf = async (browser: Visitor, email: string, password: string) => {
  const answer = await browser.ask(emailLogin, { email, password });
  assert.ok('closing' in answer, 'the account is not about to be closed');
  return answer.closing;
};

test('the page lists what ends with the account before it is closed [ACC-11]', async (t) => {
  const stand = await stage(t);
  const closing = await stand.user.ask(getClosing, {});
  assert.deepEqual(closing, { links: 1, shares: 1, spaces: [], organisations: [], subscriptions: [], hasPassword: true, days: 14 });
});

test('closing an account needs its address typed and its password, and is refused to a command-line client [ACC-11]', async (t) => {
  const { user, clientWorks, visitor } = await stage(t);
  const { email, password } = user;
  const refused = async (input: { email: string; password?: string }) => (await user.refusal(closeAccount, input)).messageCode;
  assert.equal(await refused({ email: 'somebody@example.org', password }), 'EMAIL_DIFFERS');
  assert.equal(await refused({ email, password: 'not it at all' }), 'PASSWORD_WRONG');
  assert.equal(await refused({ email }), 'MISSING_PARAMETER');
  const { authCode } = await user.ask(createAuthCode, { name: 'Other' });
  const { token } = await visitor().ask(makeToken, { authCode });
  const payload = { email, password };
  const answer = await visitor().inject({ method: 'POST', url: closeAccount.path, headers: { authorization: `Bearer ${token}` }, payload });
  assert.equal(answer.json<{ errorCode: number }>().errorCode, 104);
  assert.equal((await user.ask(getSession, {})).loginAccount, email);
  assert.equal(await clientWorks(), true);
});

test('with a second factor, closing an account needs that factor, not the password alone', async (t) => {
  const stand = await steps(t);
  const user = await stand.signUp();
  const { secret } = await withApp(stand, user);
  stand.time += 601;
  assert.equal((await user.ask(getClosing, {})).hasPassword, false);
  const { email, password } = user;
  assert.equal((await user.refusal(closeAccount, { email, password })).messageCode, 'PROOF_NEEDED');
  await user.ask(prove, { code: codeAt(secret, stand.time) });
  assert.equal((await user.ask(closeAccount, { email })).closesAt, stand.time + 14 * day);
});

test('closing ends sessions, clients and shares at once, keeps everything else for 14 days, and is reported by mail [ACC-11]', async (t) => {
  const stand = await stage(t);
  const { user, visitor, weblinkId } = stand;
  const elsewhere = visitor();
  await elsewhere.ask(emailLogin, { email: user.email, password: user.password });
  await visitor().ask(openWeblink, { weblinkId });
  const { closesAt } = await stand.closeIt();
  assert.equal(closesAt, stand.time + 14 * day);
  assert.equal(user.cookies.has('sid'), false);
  assert.equal((await elsewhere.refusal(getSession, {})).errorCode, 104);
  assert.equal(await stand.clientWorks(), false);
  assert.equal((await visitor().refusal(openWeblink, { weblinkId })).errorCode, 415);
  await mailAbout(stand, user.email, /your account will be closed on 29 January 2027/);
  stand.time += 14 * day - 1;
  await stand.services.closings.sweep();
  assert.ok(await stand.services.accounts.findByEmail(user.email));
});

test('signing in before the end only offers to keep the account; once kept, everything is as it was [ACC-11]', async (t) => {
  const stand = await stage(t);
  const { user, visitor, weblinkId } = stand;
  await stand.closeIt();
  const browser = visitor();
  const { ticket, closesAt } = await closingOf(browser, user.email, user.password);
  assert.equal(closesAt, stand.time + 14 * day);
  assert.equal(browser.cookies.has('sid'), false);
  assert.equal((await visitor().refusal(reopenAccount, { ticket: 'nonsense' })).messageCode, 'SIGN_IN_AGAIN');
  assert.equal((await browser.ask(reopenAccount, { ticket })).loginAccount, user.email);
  assert.equal((await browser.ask(allLinks, {})).activeSources.length, 1);
  await visitor().ask(openWeblink, { weblinkId });
  assert.equal(await stand.clientWorks(), true);
  assert.equal((await visitor().refusal(reopenAccount, { ticket })).messageCode, 'SIGN_IN_AGAIN');
  const { entries } = await browser.ask(listAudit, { limit: 10 });
  assert.deepEqual(
    entries.slice(0, 2).map(({ action }) => action),
    ['account.reopen', 'account.close'],
  );
  stand.time += 20 * day;
  await stand.services.closings.sweep();
  assert.ok(isSession(await visitor().ask(emailLogin, user)));
});

test('after 14 days the account is deleted with its links and secrets, once, and the files stay [ACC-11]', async (t) => {
  const stand = await stage(t);
  const { user, visitor, services } = stand;
  const { db } = services.database;
  await stand.closeIt();
  const { ticket } = await closingOf(visitor(), user.email, user.password);
  stand.time += 14 * day;
  assert.equal((await visitor().refusal(reopenAccount, { ticket })).messageCode, 'SIGN_IN_AGAIN');
  const late = await closingOf(visitor(), user.email, user.password);
  assert.equal((await visitor().refusal(reopenAccount, { ticket: late.ticket })).messageCode, 'ACCOUNT_CLOSING');
  await Promise.all([services.closings.sweep(), services.closings.sweep(), services.closings.sweep()]);
  assert.equal(await services.accounts.findByEmail(user.email), undefined);
  for (const table of ['link', 'link_secret', 'weblink', 'session', 'auth_code', 'audit_event'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  const goodbyes = (await mailsTo(stand, user.email)).filter((mail) => mail.includes('your account is closed'));
  assert.equal(goodbyes.length, 1);
  assert.equal((await visitor().refusal(emailLogin, { email: user.email, password: user.password })).errorCode, 422);
  assert.ok(stand.source.root.children.has('Trip'));
  await visitor().ask(emailSignup, { email: user.email, password: 'a whole new password' });
});

test('listings and items of transfers are not deleted in the statement that deletes their account, which would block everybody', async (t) => {
  const stand = await stage(t);
  const { user, services, userLinkId } = stand;
  const { db, engine } = services.database;
  const linkUri = linkUriOf(userLinkId, '/Trip');
  await user.ask(remoteUpdate, { linkUri, fresh: true, refresh: true, sort: 'name', order: 'asc', limit: 25 });
  const { transferId } = await user.ask(planTransfer, {
    kind: 'copy',
    linkUri: [`${linkUri}/a.txt`],
    parentLinkUri: linkUri,
    conflict: 'rename',
  });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state !== 'planning', 'it is planned');
  await services.listings.idle();
  const count = async (table: 'transferItem' | 'listing_entry') => (await db.selectFrom(table).selectAll().execute()).length;
  assert.ok((await count('transferItem')) > 0 && (await count('listing_entry')) > 0);
  if (engine === 'sqlite')
    for (const table of ['transferItem', 'listing_entry'])
      // A trigger on the main thread's connection only, so that the job's own deletions are not refused.
      await sql
        .raw(`create temp trigger kept_${table} before delete on "${table}" begin select raise(abort, 'on the main thread'); end`)
        .execute(db);
  await stand.closeIt();
  stand.time += 15 * day;
  await services.closings.sweep();
  assert.equal(await services.accounts.findByEmail(user.email), undefined);
  assert.equal(await count('transferItem'), 0);
  await services.sweeps.listings();
  await eventually(async () => (await count('listing_entry')) === 0, 'the rows of its listings are deleted');
});

test('an account that another instance is closing is left to it until its lease expires [ACC-11]', async (t) => {
  const stand = await stage(t);
  const { services, user } = stand;
  await stand.closeIt();
  stand.time += 14 * day;
  await services.database.db
    .updateTable('account')
    .set({ closingLease: stand.time + 60 })
    .execute();
  await services.closings.sweep();
  assert.ok(await services.accounts.findByEmail(user.email));
  stand.time += 61;
  await services.closings.sweep();
  assert.equal(await services.accounts.findByEmail(user.email), undefined);
});

test('an organisation owner must transfer or close it before closing their account [ACC-11]', async (t) => {
  const stand = await stage(t);
  const { user } = stand;
  const { org } = await user.ask(showOrg, { orgName: 'Halm GmbH' });
  assert.deepEqual((await user.ask(getClosing, {})).organisations, [{ orgOid: org.orgOid, name: org.name }]);
  const refusal = await user.refusal(closeAccount, { email: user.email, password: user.password });
  assert.deepEqual([refusal.messageCode, refusal.status], ['OWNS_ORGANISATIONS', 409]);
  assert.match(refusal.message, new RegExp(org.name));
  assert.equal((await user.ask(getSession, {})).loginAccount, user.email);
});

test('spaces end with their owner’s account: their members are counted before and notified after [ACC-11]', async (t) => {
  const clock = { time: 1_800_000_000 };
  const app = await spaceApp(t, { now: () => clock.time });
  const tom = await app.signUp('tom@example.org');
  await join(app, app.space, tom, 'editor');
  const { email, password } = app.user;
  assert.deepEqual((await app.user.ask(getClosing, {})).spaces, [{ name: 'Team', members: 1 }]);
  assert.equal((await app.user.ask(getClosing, {})).links, 1);
  await app.user.ask(closeAccount, { email, password });
  clock.time += 14 * day;
  await app.services.closings.sweep();
  assert.equal(await app.services.accounts.findByEmail(email), undefined);
  const own = app.visitor();
  await own.ask(emailLogin, { email: tom.email, password: tom.password });
  assert.deepEqual((await own.ask(allLinks, {})).activeSources, []);
  await mailAbout(app, tom.email, /Team/);
  assert.ok(app.source.root.children.has('projects'));
});

test('memberships that end with an account are recorded in the logs of their space and organisation [ACC-11]', async (t) => {
  const clock = { time: 1_800_000_000 };
  const app = await spaceApp(t, { now: () => clock.time });
  const { user, space } = app;
  const tom = await app.signUp('tom@example.org');
  await join(app, space, tom, 'editor');
  const { orgOid } = (await user.ask(showOrg, { orgName: 'Acme' })).org;
  await user.ask(inviteToOrg, { orgOid, emails: tom.email, role: 'member' });
  await tom.ask(acceptOrgInvitation, { token: await mailedToken(app, tom.email, '/invitation/org') });
  await tom.ask(closeAccount, { email: tom.email, password: tom.password });
  clock.time += 14 * day;
  await app.services.closings.sweep();
  for (const [log, action] of [
    [{ spaceOid: space.spaceOid }, 'space.leave'],
    [{ orgOid }, 'org.leave'],
  ] as const) {
    const [newest] = (await user.ask(listAudit, { ...log, limit: 1 })).entries;
    assert.deepEqual([newest?.action, newest?.actorName, newest?.at], [action, 'Mara', clock.time]);
  }
});

test('paid subscriptions are listed before closing; nothing is charged from then on, and at the end the subscription ends [ACC-11]', async (t) => {
  const stand = await stage(t);
  const { user, visitor, services } = stand;
  const number = sandboxCards.find(({ outcome }) => outcome === 'success')?.number ?? '';
  const card = { number, month: '12', year: '2040', first_name: 'Mara', last_name: 'Lind', cvv: '123' };
  const made = tokenizeSandboxCard(card, newId());
  assert.ok('token' in made);
  await user.ask(purchasePremium, { recurlyPlan: products.premium.plan, trialState: true, track: '', recurlyBillingToken: made.token });
  const [premium] = (await user.ask(listSubscriptions, {})).subscriptions;
  assert.equal(premium?.autoRenew, true);
  assert.deepEqual((await user.ask(getClosing, {})).subscriptions, [{ name: premium.name, endsAt: premium.endsAt }]);
  await stand.closeIt();
  await mailAbout(stand, user.email, /^Premium no longer renews: if you keep the account, turn its renewal on again\.$/m);
  const browser = visitor();
  await browser.ask(reopenAccount, { ticket: (await closingOf(browser, user.email, user.password)).ticket });
  assert.equal((await browser.ask(listSubscriptions, {})).subscriptions[0]?.autoRenew, false);
  const subjects = await newSubjects(stand, user.email);
  await browser.ask(closeAccount, { email: user.email, password: user.password });
  assert.deepEqual(await subjects(), ['Your Sheaf account will be closed']);
  stand.time += 14 * day;
  await services.closings.sweep();
  assert.equal(await services.accounts.findByEmail(user.email), undefined);
  // No mail offers to resume a stopped renewal.
  assert.deepEqual(await subjects(), ['Your Sheaf account was closed']);
});
