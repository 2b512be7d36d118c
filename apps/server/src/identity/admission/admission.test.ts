import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptOrgInvitation,
  acceptSpaceInvitation,
  confirmSignup,
  emailSignup,
  getSession,
  invitePeople,
  inviteToSpace,
  isSession,
  listSignUpInvitations,
  sessionInfo,
  showSignUpInvitation,
  withdrawSignUpInvitation,
} from '@sheaf/contract';
import { startOidc, startSmtp } from '@sheaf/testbed';
import { type Visitor, testApp } from '#/testing/app.ts';
import { orgApp } from '#/testing/orgs.ts';
import { mailedToken } from '#/testing/outbox.ts';
import { invitationPage, spaceApp } from '#/testing/spaces.ts';

const publicly = { SHEAF_PUBLIC_URL: 'https://sheaf.example' };
const password = 'correct horse battery';
const signUp = (who: Visitor, email: string, more: { invitation?: string; setupCode?: string } = {}) =>
  who.send(emailSignup, { name: 'Noor', email, password, ...more });
const codeOf = async (answer: ReturnType<typeof signUp>) => (await answer).json<{ messageCode?: string }>().messageCode ?? 'admitted';
const tokenOf = (link = ''): string => link.split('#invitation=')[1] ?? '';

/** An installation that others can reach and that mails, with its operator Mara. */
async function mailing(t: TestContext, settings: Record<string, string> = {}) {
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const clock = { time: 1_800_000_000 };
  const app = await testApp(t, { settings: { ...publicly, SHEAF_SMTP_URL: smtp.url, ...settings }, now: () => clock.time });
  const visitor = app.visitor();
  const setupCode = await app.services.admission.setupCode();
  await visitor.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password, ...(setupCode !== undefined && { setupCode }) });
  /** The token behind `mark` in the newest mail to that address. */
  const mailed = async (address: string, mark: string): Promise<string> => {
    await app.services.background.idle();
    const { source } = await smtp.mailTo(address);
    const text = source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const token = text.split(mark)[1]?.split(/[\s&"<]/)[0];
    assert.ok(token, `a mail to ${address} has ${mark}`);
    return token;
  };
  return Object.assign(clock, { ...app, operator: visitor, smtp, mailed });
}

test('behind a public address the first account takes the code printed at the start, whatever the setting is, and operates the installation', async (t) => {
  for (const SHEAF_SIGNUP of ['closed', 'open']) {
    const { visitor, services, secondInstance, log } = await testApp(t, { settings: { ...publicly, SHEAF_SIGNUP } });
    const code = await services.admission.setupCode();
    assert.ok(code);
    assert.equal(await (await secondInstance()).admission.setupCode(), code);
    const [first, thief] = [visitor(), visitor()];
    assert.equal((await first.ask(sessionInfo, {})).signUp.setup, 'code');
    assert.equal(await codeOf(signUp(thief, 'thief@example.org')), 'SETUP_FIRST');
    assert.equal(await codeOf(signUp(thief, 'thief@example.org', { setupCode: '00000-00000-00000-00000' })), 'SETUP_CODE_WRONG');
    assert.equal(await codeOf(signUp(first, 'mara@example.org', { setupCode: code.toLowerCase().replaceAll('-', ' ') })), 'admitted');
    const info = await first.ask(sessionInfo, {});
    assert.deepEqual([info.isOperator, info.signUp.setup], [true, undefined]);
    assert.equal(await services.admission.setupCode(), undefined);
    // Used up: it admits nobody else, and makes nobody an operator.
    const answer = await codeOf(signUp(thief, 'thief@example.org', { setupCode: code }));
    assert.equal(answer, SHEAF_SIGNUP === 'open' ? 'admitted' : 'SIGNUP_CLOSED');
    assert.equal((await thief.ask(sessionInfo, {})).isOperator, false);
    assert.ok(!log().includes(code));
  }
});

test('the code can be tried a few times only', async (t) => {
  const { visitor } = await testApp(t, { settings: publicly });
  const answers: string[] = [];
  for (let tries = 0; tries < 11; tries++) answers.push(await codeOf(signUp(visitor(), 'thief@example.org', { setupCode: String(tries) })));
  assert.deepEqual(new Set(answers.slice(0, 10)), new Set(['SETUP_CODE_WRONG']));
  assert.equal(answers[10], 'TOO_MANY_TRIES');
});

test('with named operators the first account takes one of their addresses, and rights come with its confirmation', async (t) => {
  const stand = await mailing(t, { SHEAF_OPERATORS: 'mara@example.org' });
  assert.equal(await codeOf(signUp(stand.visitor(), 'thief@example.org')), 'SETUP_FIRST');
  const token = await stand.mailed('mara@example.org', 'signUp=');
  await stand.operator.ask(confirmSignup, { token });
  assert.equal((await stand.operator.ask(sessionInfo, {})).isOperator, true);
  assert.equal(await codeOf(signUp(stand.visitor(), 'thief@example.org')), 'SIGNUP_INVITED');
});

test('a mailed invitation opens a confirmed account for its address, once, until it ends or is taken back', async (t) => {
  const stand = await mailing(t);
  const { operator, visitor, mailed } = stand;
  assert.equal(await codeOf(signUp(visitor(), 'noor@example.org')), 'SIGNUP_INVITED');
  const emails = 'noor@example.org, tom@example.org, wrong';
  const { invited, refused } = await operator.ask(invitePeople, { emails, days: 7 });
  assert.deepEqual(invited, [{ email: 'noor@example.org' }, { email: 'tom@example.org' }]);
  assert.deepEqual(
    refused.map(({ email, messageCode }) => [email, messageCode]),
    [['wrong', 'EMAIL_INVALID']],
  );
  const invitation = await mailed('noor@example.org', '#invitation=');
  assert.deepEqual(await visitor().ask(showSignUpInvitation, { token: invitation }), { email: 'noor@example.org' });
  assert.equal(await codeOf(signUp(visitor(), 'eve@example.org', { invitation })), 'INVITATION_OTHER_ADDRESS');
  const noor = visitor();
  assert.equal(await codeOf(signUp(noor, 'Noor@Example.org', { invitation })), 'admitted');
  assert.equal((await noor.ask(getSession, {})).emailVerified, true);
  assert.equal((await noor.ask(sessionInfo, {})).isOperator, false);
  assert.equal(await codeOf(signUp(visitor(), 'noor@example.org', { invitation })), 'INVITATION_SPENT');
  // A user sees and makes none.
  for (const refusal of [await noor.refusal(listSignUpInvitations, {}), await noor.refusal(invitePeople, { days: 7 })])
    assert.equal(refusal.messageCode, 'NOT_OPERATOR');
  const toms = await mailed('tom@example.org', '#invitation=');
  const [listed] = (await operator.ask(listSignUpInvitations, {})).invitations;
  assert.deepEqual([listed?.email, listed?.invitedBy, listed?.expiresAt], ['tom@example.org', 'Mara', stand.time + 7 * 86_400]);
  assert.deepEqual(await operator.ask(withdrawSignUpInvitation, { invitationId: listed?.invitationId ?? '' }), { isWithdrawn: true });
  assert.equal(await codeOf(signUp(visitor(), 'tom@example.org', { invitation: toms })), 'INVITATION_SPENT');
});

test('a link to copy admits one person with a confirmed address of any kind; of two at once one gets in', async (t) => {
  const stand = await mailing(t);
  const { operator, visitor, mailed } = stand;
  const link = async () => tokenOf((await operator.ask(invitePeople, { days: 1 })).invited[0]?.link);
  const invitation = await link();
  const [noor, tom] = [visitor(), visitor()];
  assert.equal(await codeOf(signUp(noor, 'noor@example.org', { invitation })), 'admitted');
  assert.equal(await codeOf(signUp(tom, 'tom@example.org', { invitation })), 'admitted');
  const tokens = [await mailed('noor@example.org', 'signUp='), await mailed('tom@example.org', 'signUp=')];
  const answers = await Promise.all([noor, tom].map((one, index) => one.send(confirmSignup, { token: tokens[index] ?? '' })));
  assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 404]));
  const late = await link();
  stand.time += 86_401;
  assert.equal(await codeOf(signUp(visitor(), 'ada@example.org', { invitation: late })), 'INVITATION_SPENT');
});

test('an invitation to a Space or an organisation admits its address and nobody else, and an uninvited address without it', async (t) => {
  const settings = { SHEAF_SIGNUP: 'invited' };
  const spaces = await spaceApp(t, { settings });
  await spaces.user.ask(inviteToSpace, { spaceOid: spaces.space.spaceOid, emails: 'noor@example.org', role: 'viewer' });
  const toSpace = await mailedToken(spaces, 'noor@example.org', invitationPage);
  const orgs = await orgApp(t, { settings });
  await orgs.invite('noor@example.org');
  const toOrg = await mailedToken(orgs, 'noor@example.org', '/invitation/org');
  for (const [stand, invitation] of [[spaces, toSpace] as const, [orgs, toOrg] as const]) {
    assert.equal(await codeOf(signUp(stand.visitor(), 'noor@example.org')), 'SIGNUP_INVITED');
    assert.equal(await codeOf(signUp(stand.visitor(), 'eve@example.org', { invitation })), 'INVITATION_OTHER_ADDRESS');
    const noor = stand.visitor();
    assert.equal(await codeOf(signUp(noor, 'noor@example.org', { invitation })), 'admitted');
    if (stand === spaces) assert.equal((await noor.ask(acceptSpaceInvitation, { token: invitation })).space.name, 'Team');
    else assert.equal((await noor.ask(acceptOrgInvitation, { token: invitation })).org.name, 'Acme');
  }
});

test('of named domains everybody may sign up, with a confirmed address', async (t) => {
  const { operator, visitor, mailed } = await mailing(t, { SHEAF_SIGNUP_DOMAINS: 'example.org' });
  for (const email of ['eve@example.com', 'eve@sub.example.org', 'example.org@example.com'])
    assert.equal(await codeOf(signUp(visitor(), email)), 'SIGNUP_DOMAIN');
  const noor = visitor();
  assert.equal(await codeOf(signUp(noor, 'noor@EXAMPLE.org')), 'admitted');
  assert.ok(isSession(await noor.ask(confirmSignup, { token: await mailed('noor@example.org', 'signUp=') })));
  await operator.ask(invitePeople, { emails: 'eve@example.com', days: 1 });
  const invitation = await mailed('eve@example.com', '#invitation=');
  assert.equal(await codeOf(signUp(visitor(), 'eve@example.com', { invitation })), 'admitted');
});

test('a sign-in provider opens new accounts only for addresses that are admitted and that it has verified', async (t) => {
  const callback = 'http://sheaf.test/login/with/google/callback';
  const oidc = await startOidc({ redirectUris: [callback] });
  t.after(() => oidc.stop());
  const google = {
    SHEAF_GOOGLE_CLIENT_ID: oidc.clientId,
    SHEAF_GOOGLE_CLIENT_SECRET: oidc.clientSecret,
    SHEAF_GOOGLE_ISSUER_URL: oidc.issuer,
  };
  const { visitor, services } = await testApp(t, { settings: { SHEAF_PUBLIC_URL: 'http://sheaf.test', ...google } });
  const through = async (browser: Visitor, person: Parameters<typeof oidc.visit>[1]) => {
    const begun = await browser.inject({ url: '/login/with/google' });
    const back = await oidc.visit(begun.headers.location ?? '', person);
    return (await browser.inject({ url: back.replace('http://sheaf.test', '') })).headers.location;
  };
  const noor = { email: 'noor@example.org', name: 'Noor' };
  // The first account takes the code, which a provider cannot ask for.
  assert.equal(await through(visitor(), noor), '/login/notadmitted');
  const operator = visitor();
  await operator.ask(emailSignup, { email: 'mara@example.org', password, setupCode: (await services.admission.setupCode()) ?? '' });
  assert.equal(await through(visitor(), noor), '/login/notadmitted');
  await operator.ask(invitePeople, { emails: 'noor@example.org, tom@example.org', days: 7 });
  assert.equal(await through(visitor(), { ...noor, emailVerified: false }), '/login/notadmitted');
  assert.equal(await through(visitor(), noor), '/login/websuccess');
  const open = await operator.ask(listSignUpInvitations, {});
  assert.deepEqual(
    open.invitations.map(({ email }) => email),
    ['tom@example.org'],
  );
});
