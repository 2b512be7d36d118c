import assert from 'node:assert/strict';
import { type TestContext, after, test } from 'node:test';
import { getSession, listAudit, listOrgMembers, listOrgs, removeOrgMember, setLimits, updateMember, showLimits } from '@sheaf/contract';
import { type Oidc, type OidcPerson, startOidc } from '@sheaf/testbed';
import { type User, testApp } from '#/testing/app.ts';
import { mailsTo } from '#/testing/outbox.ts';
import { createOrgStore } from './store.ts';

const publicUrl = 'http://sheaf.test';
const redirectUris = [`${publicUrl}/login/with/company/callback`];
let provider: Promise<Oidc> | undefined;
const oidc = (): Promise<Oidc> => (provider ??= startOidc({ redirectUris }));
after(async () => (await provider)?.stop());

const orgOid = 'Engineering000000001';
const [staff, leads] = [`groups=staff:${orgOid}`, `groups=/teams/leads:${orgOid}:admin`];

/** An app with an organisation whose members a provider's groups decide; its trial has two places more than the owner. */
async function appWith(t: TestContext, company: Readonly<Record<string, string>> = {}, own = oidc()) {
  const { issuer, clientId, clientSecret } = await own;
  const fields = { ISSUER_URL: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, LABEL: 'Halm & Co', SIGNUP: 'allow', ...company };
  const app = await testApp(t, {
    settings: {
      SHEAF_PUBLIC_URL: publicUrl,
      SHEAF_OPERATORS: 'owner@example.org',
      ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [`SHEAF_OIDC_COMPANY_${field}`, value])),
    },
  });
  const owner = await app.signUp('owner@example.org');
  await app.services.accounts.markVerified({ id: owner.userId, email: owner.email });
  const at = Math.floor(Date.now() / 1000);
  const store = createOrgStore(app.services.db);
  await store.create({ orgId: orgOid, membershipId: 'membership', name: 'Engineering', isTrial: false, actorId: owner.userId, at });
  await app.services.subscriptions.startTrial({ payerId: orgOid, actorId: owner.userId, product: 'org', units: 2 });

  const signIn = async (person: OidcPerson) => {
    const browser = app.visitor();
    const follow = async (url: string): Promise<string> => {
      const { statusCode, headers, body } = await browser.inject({ url: url.replace(publicUrl, '') });
      assert.equal(statusCode, 302, body);
      return headers.location ?? '';
    };
    assert.equal(await follow(await (await own).visit(await follow('/login/with/company'), person)), '/login/websuccess');
    return browser;
  };
  const roleOf = async (person: OidcPerson): Promise<string | undefined> =>
    (await (await signIn(person)).ask(listOrgs, {})).orgs.find((org) => org.orgOid === orgOid)?.role;
  const log = async () =>
    (await owner.ask(listAudit, { orgOid, limit: 100 })).entries.map(({ actorName, sentence }) => `${actorName} ${sentence}`).toReversed();
  return { app, owner, signIn, roleOf, log };
}

const mara: OidcPerson = { email: 'mara@example.org', name: 'Mara Lind' };
const members = async (owner: User) => (await owner.ask(listOrgMembers, { orgOid })).members;

test('at each sign-in, groups of a provider give roles in an organisation or take them back, and its log names the provider', async (t) => {
  const { app, owner, signIn, roleOf, log } = await appWith(t, { ORGANISATIONS: `${staff}, ${leads}` });
  assert.equal(await roleOf({ ...mara, groups: ['guests'] }), undefined);
  assert.equal(await roleOf({ ...mara, groups: ['staff'] }), 'member');
  assert.equal(await roleOf({ ...mara, groups: ['/teams/leads', 'staff'] }), 'admin', 'the greater of two roles counts');
  assert.equal(await roleOf({ ...mara, groups: ['/teams/leads', 'staff'] }), 'admin');
  assert.equal(await roleOf({ ...mara, groups: ['staff'] }), 'member');
  const browser = await signIn({ ...mara, groups: [] });
  assert.deepEqual((await browser.ask(listOrgs, {})).orgs, []);
  assert.equal((await browser.refusal(listOrgMembers, { orgOid })).messageCode, 'ORG_NOT_FOUND');
  assert.match((await mailsTo(app, mara.email)).at(-1) ?? '', /no longer a member of Engineering/);
  assert.deepEqual((await log()).slice(2), [
    'Halm & Co added Mara Lind to Engineering as member',
    'Halm & Co made Mara Lind admin of Engineering',
    'Halm & Co made Mara Lind member of Engineering',
    'Halm & Co removed Mara Lind from Engineering',
  ]);
  assert.deepEqual(
    (await members(owner)).map(({ role }) => role),
    ['owner'],
  );
});

test('members whom people have invited, and the owner, keep their roles whatever the groups say', async (t) => {
  const { app, owner, roleOf } = await appWith(t, { ORGANISATIONS: staff });
  assert.equal(await roleOf({ email: owner.email, groups: [] }), 'owner');
  assert.equal(await roleOf({ email: owner.email, groups: ['staff'] }), 'owner');
  assert.equal(await roleOf({ ...mara, groups: ['staff'] }), 'member');
  await app.services.db.updateTable('org_member').set({ role: 'admin', givenBy: null }).where('role', '=', 'member').execute();
  assert.equal(await roleOf({ ...mara, groups: ['staff'] }), 'admin');
  assert.equal(await roleOf({ ...mara, groups: [] }), 'admin');
});

test('without a free place a person of a group signs in without a membership, is logged once, and joins when there is one', async (t) => {
  const { owner, roleOf, log } = await appWith(t, { ORGANISATIONS: staff });
  assert.equal(await roleOf({ ...mara, groups: ['staff'] }), 'member');
  const late: OidcPerson = { email: 'late@example.org', name: 'Late', groups: ['staff'] };
  assert.equal(await roleOf(late), undefined);
  assert.equal(await roleOf(late), undefined);
  const full = 'Halm & Co could not add Late to Engineering, whose plan has no free place';
  assert.deepEqual(
    (await log()).filter((line) => line.includes('Late')),
    [full],
  );
  const first = (await members(owner)).find(({ role }) => role === 'member');
  assert.ok(first);
  await owner.ask(removeOrgMember, { orgOid, memberId: first.memberId });
  assert.equal(await roleOf(late), 'member');
});

test('an organisation that does not exist is logged, and claims that the ID token lacks come from the UserInfo endpoint', async (t) => {
  const terse = startOidc({ redirectUris, isTerse: true });
  t.after(async () => (await terse).stop());
  const { app, roleOf } = await appWith(t, { ORGANISATIONS: `groups=staff:NobodyKnowsThisOne00, ${staff}` }, terse);
  assert.equal(await roleOf({ ...mara, groups: ['staff'] }), 'member');
  assert.match(app.log(), /"orgId":"NobodyKnowsThisOne00".*does not exist/);
});

test("a claim's limits apply until the provider takes them back, unless operators have set others; unknown ones are ignored", async (t) => {
  const { app, owner, signIn } = await appWith(t, { LIMITS: 'limits' });
  const rules = async (limits: unknown) => {
    await signIn({ ...mara, limits });
    return (await owner.ask(showLimits, {})).accounts.map((account) => [account.email, account.limits]);
  };
  assert.deepEqual(await rules({ links: 3, shares: 5, elephants: 7 }), [['mara@example.org', { links: 3, shares: 5 }]]);
  assert.deepEqual(await rules('{"links": 4}'), [['mara@example.org', { links: 4 }]]);
  assert.deepEqual(await rules({ links: -1, transfers: 'many' }), []);
  assert.deepEqual(await rules(undefined), []);
  const { id } = await app.services.db.selectFrom('account').select('id').where('emailKey', '=', mara.email).executeTakeFirstOrThrow();
  await owner.ask(setLimits, { accountId: id, links: 9 });
  assert.deepEqual(await rules({ links: 3, shares: 5 }), [['mara@example.org', { links: 9, shares: 5 }]]);
  assert.deepEqual(await rules({}), [['mara@example.org', { links: 9 }]]);
  const events = await app.services.db
    .selectFrom('operatorEvent')
    .select('actor')
    .where('action', '=', 'limits.set')
    .orderBy('id')
    .execute();
  assert.deepEqual(events.map(({ actor }) => actor).filter((actor) => actor === 'Halm & Co').length, 5, 'only changes are logged');
});

test('a name that changes at the provider changes here, and one that was changed here stays until then', async (t) => {
  const { signIn } = await appWith(t);
  const nameOf = async (name: string): Promise<string> => {
    const browser = await signIn({ ...mara, name });
    return (await browser.ask(getSession, {})).loginName;
  };
  assert.equal(await nameOf('Mara Lind'), 'Mara Lind');
  const browser = await signIn({ ...mara, name: 'Mara Lind' });
  await browser.ask(updateMember, { newName: 'M. L.' });
  assert.equal(await nameOf('Mara Lind'), 'M. L.');
  assert.equal(await nameOf('Mara Berg'), 'Mara Berg');
  assert.equal(await nameOf('\u200B'), 'Mara Berg', 'a name that is none is not taken over');
});
