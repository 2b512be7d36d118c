import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeLinkAuth, emailLogin, linkOutcomePath } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { rowsOf } from '#/testing/links.ts';
import {
  type DriveApp,
  answerIn,
  authorize,
  driveApp,
  finishAt,
  follow,
  mara,
  noor,
  publicUrl,
  startPath,
} from '#/testing/storages/drive.ts';

const failed = linkOutcomePath('unexpectederror');
const back = async ({ drive, user }: DriveApp, query = {}) => answerIn(await drive.oauth.visit(await follow(user, startPath(query)), mara));

test('authorizing Sheaf at the provider creates a working link under a free name [OAU-20] [RT-076]', async (t) => {
  const app = await driveApp(t);
  assert.equal(await authorize(app), '/browse/My%20Dropbox', 'a new link opens');
  const [link, ...others] = await rowsOf(app.user);
  assert.equal(others.length, 0);
  assert.equal(link?.name, 'My Dropbox');
  assert.deepEqual([link.provider, link.sourceAccountName, link.formType, link.state], ['Dropbox', mara.email, 'OAUTH', 'ok']);
  const { connector } = await app.services.connections.open(app.user.userId, link.userLinkId);
  assert.equal((await connector.stat('/', { signal: AbortSignal.timeout(10_000) })).kind, 'folder');
  app.drive.simulator.assertClean();
});

test('the provider is asked with the address to register, a challenge, and a prompt only where one is wanted', async (t) => {
  const { user } = await driveApp(t);
  const plain = new URL(await follow(user, startPath()));
  assert.equal(plain.searchParams.get('redirect_uri'), `${publicUrl}/oauth`);
  assert.equal(plain.searchParams.get('code_challenge_method'), 'S256');
  assert.equal(plain.searchParams.has('prompt'), false);
  assert.equal(new URL(await follow(user, startPath({ authPrompt: 'true' }))).searchParams.get('prompt'), 'consent');
  assert.equal(new URL(await follow(user, startPath({ authPrompt: 'false' }))).searchParams.has('prompt'), false);
});

test('the flow ends at its target, and never outside of Sheaf [OAU-20]', async (t) => {
  const app = await driveApp(t);
  assert.equal(await authorize(app, { redirectUrl: '/browse/x?a=1#b' }), '/browse/x?a=1#b');
  for (const hostile of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)', '']) {
    const [link] = await rowsOf(app.user);
    assert.ok(link);
    const query = { redirectUrl: hostile, cancelUrl: hostile, userLinkId: link.userLinkId };
    assert.equal(await authorize(app, query), '/account/mysheaf', hostile);
  }
});

test('declining leads to the declined page and links nothing', async (t) => {
  const app = await driveApp(t);
  assert.equal(await authorize(app, { cancelUrl: '/links' }, 'declines'), linkOutcomePath('declined'));
  assert.deepEqual(await rowsOf(app.user), []);
});

test('linking an account again is refused as a duplicate, and its link keeps working', async (t) => {
  const app = await driveApp(t);
  await authorize(app);
  assert.equal(await authorize(app), linkOutcomePath('duplicate'));
  assert.equal(await authorize(app, {}, noor), '/browse/My%20Dropbox%202');
  const links = await rowsOf(app.user);
  assert.deepEqual(
    links.map(({ name }) => name),
    ['My Dropbox', 'My Dropbox 2'],
  );
  for (const { userLinkId } of links) {
    const { connector } = await app.services.connections.open(app.user.userId, userLinkId);
    await connector.stat('/', { signal: AbortSignal.timeout(10_000) });
  }
});

test('two concurrent returns create one link of an account', async (t) => {
  const app = await driveApp(t);
  const answers = [await back(app), await back(app), await back(app)];
  const ends = await Promise.all(answers.map((answer) => app.user.ask(completeLinkAuth, answer)));
  assert.deepEqual(ends.map(({ url }) => url).sort(), ['/browse/My%20Dropbox', linkOutcomePath('duplicate'), linkOutcomePath('duplicate')]);
  assert.equal((await rowsOf(app.user)).length, 1);
});

test('the desktop client is notified with its own token', async (t) => {
  const app = await driveApp(t);
  assert.equal(await authorize(app, { handoffToken: 'a b&c' }), '/link/auth/desktopsuccess/Dropbox?handoffToken=a+b%26c');
});

test('a state is accepted once', async (t) => {
  const app = await driveApp(t);
  const answer = await back(app);
  assert.equal((await app.user.ask(completeLinkAuth, answer)).url, '/browse/My%20Dropbox');
  assert.equal((await app.user.ask(completeLinkAuth, answer)).url, failed);
  assert.equal((await rowsOf(app.user)).length, 1);
});

test('a state of another session or account is refused, and still works for its own', async (t) => {
  const app = await driveApp(t);
  const answer = await back(app);
  const stranger = await app.signUp();
  assert.equal((await stranger.ask(completeLinkAuth, answer)).url, failed);
  const elsewhere = app.visitor();
  await elsewhere.ask(emailLogin, { email: app.user.email, password: app.user.password });
  assert.equal((await elsewhere.ask(completeLinkAuth, answer)).url, failed);
  assert.equal((await app.user.ask(completeLinkAuth, answer)).url, '/browse/My%20Dropbox');
  assert.deepEqual(await rowsOf(stranger), []);
});

test('a state that is invented, missing or older than ten minutes is refused', async (t) => {
  let passed = 0;
  const app = await driveApp(t, { now: () => Math.floor(Date.now() / 1000) + passed });
  const answer = await back(app);
  for (const state of [{ state: 'made-up' }, {}]) assert.equal((await app.user.ask(completeLinkAuth, { code: 'x', ...state })).url, failed);
  passed = 601;
  assert.equal((await app.user.ask(completeLinkAuth, answer)).url, failed);
  await app.services.authorizations.sweep();
  assert.deepEqual(await app.services.database.db.selectFrom('link_authorization').selectAll().execute(), []);
});

test('a return without a session or without the rTag is refused', async (t) => {
  const app = await driveApp(t);
  const answer = await back(app);
  assert.equal((await app.visitor().refusal(completeLinkAuth, answer)).errorCode, 104);
  assert.equal((await app.user.refusal(completeLinkAuth, { ...answer, rTag: 'wrong' })).errorCode, 104);
});

test('a code that was asked for with another challenge is refused by the provider, so the verifier is really sent', async (t) => {
  const app = await driveApp(t);
  const away = new URL(await follow(app.user, startPath()));
  away.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  assert.equal(await finishAt(app, away.href), failed);
});

test('a code of another user is refused', async (t) => {
  const app = await driveApp(t);
  const [mine, other] = [await back(app), await back(app)];
  const { code = '' } = other;
  assert.equal((await app.user.ask(completeLinkAuth, { ...mine, code })).url, failed);
});

test('a provider that cannot be reached when the user comes back leads to the connection error', async (t) => {
  const app = await driveApp(t, { settings: { SHEAF_DROPBOX_TOKEN_URL: 'http://127.0.0.1:9/token' } });
  assert.equal(await authorize(app), linkOutcomePath('connectionerror'));
  const { state = '' } = await back(app);
  assert.equal((await app.user.ask(completeLinkAuth, { state, error: 'temporarily_unavailable' })).url, linkOutcomePath('connectionerror'));
});

test('an application that the provider refuses leads to the unexpected error, and the operator finds it in the log', async (t) => {
  const app = await driveApp(t, { settings: { SHEAF_DROPBOX_CLIENT_SECRET: 'another' } });
  assert.equal(await authorize(app), failed);
  assert.match(app.log(), /authorization failed/);
});

test('without settings, for a closed service and for an unknown type the request ends on a page that says why', async (t) => {
  const { signUp } = await testApp(t);
  const user = await signUp();
  const at = (sourceType: string) => follow(user, startPath({ sourceType, providerName: sourceType }));
  const error = '/linkprocessing/requesterror';
  assert.equal(await at('dropbox'), `${error}?reason=notsetup&provider=Dropbox`);
  assert.equal(await at('CloudDrive'), `${error}?reason=closed&provider=CloudDrive`);
  assert.equal(await at('Copy'), `${error}?reason=closed&provider=Copy`);
  assert.equal(await at('SFTP'), `${error}?reason=unknown&provider=SFTP`);
  assert.equal(await at('floppy"><script>'), `${error}?reason=unknown`);
  assert.equal(await follow(user, '/linkwebservice'), `${error}?reason=unknown`);
  assert.equal(await follow(user, '/linkwebservice?sourceType=Box&sourceType=Slack'), `${error}?reason=unknown`);
});

test('a closed service can be linked where the operator names a compatible server', async (t) => {
  const authUrl = 'http://compatible.example/authorize';
  const names = { CLIENT_ID: 'x', API_URL: 'http://compatible.example/api', AUTH_URL: authUrl };
  const settings = Object.fromEntries(Object.entries(names).map(([name, value]) => [`SHEAF_CLOUDDRIVE_${name}`, value]));
  const { user } = await driveApp(t, { settings });
  const away = await follow(user, startPath({ sourceType: 'CloudDrive', providerName: 'CloudDrive' }));
  assert.equal(away.split('?')[0], authUrl);
});

test('a user who is not a member of an organisation links nothing for it, and its page needs to know which one it is [RT-077]', async (t) => {
  const { user } = await driveApp(t);
  const refused = '/linkprocessing/requesterror?reason=nolink';
  assert.equal(await follow(user, startPath({ orgOid: 'o1' }).replace('/link', '/orglink')), `${refused}&provider=Dropbox`);
  assert.equal(await follow(user, startPath({ orgOid: 'o1' })), `${refused}&provider=Dropbox`);
  assert.equal(await follow(user, startPath().replace('/link', '/orglink')), refused);
});

test('a visitor signs in first and then continues', async (t) => {
  const { visitor } = await driveApp(t);
  for (const path of [startPath({ handoffToken: 'h' }), '/orglinkwebservice?sourceType=Box']) {
    const { headers } = await visitor().inject({ url: path });
    const address = new URL(headers.location ?? '', publicUrl);
    assert.deepEqual([address.pathname, address.searchParams.get('redirectUrl')], ['/login/start', path]);
  }
});

test('too many attempts in a short time are refused', async (t) => {
  const { user } = await driveApp(t);
  for (let tries = 0; tries < 60; tries++) await follow(user, startPath());
  assert.equal((await user.inject({ url: startPath() })).statusCode, 429);
});
