import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type Env, createDialer, findDefinition } from '@sheaf/connectors';
import { completeLinkAuth, deleteLink, findSource, keepSearchable, linkUriOf, remoteUpdate } from '@sheaf/contract';
import { type OAuth, eventually, startDropbox, startGoogle, startMicrosoft } from '@sheaf/testbed';
import { followFolders } from '#/files/live/testing/follow-folders.ts';
import { type TestApp, testApp } from '#/testing/app.ts';
import { rowsOf } from '#/testing/links.ts';
import { follow, startPath } from '#/testing/storages/drive.ts';
import { hintPath } from './hint-routes.ts';
import { isCallable } from './hints.ts';

const publicUrl = 'https://files.sheaf.example.org';
const redirectUris = [`${publicUrl}/oauth`];
const rows = { sort: 'name', order: 'asc', early: false, fresh: true, refresh: true, limit: 50 } as const;
const within = () => ({ signal: AbortSignal.timeout(20_000) });
/** Milliseconds in which a change shows: fewer than until the service is asked without a hint. */
const soon = 15_000;

/** An account at a simulated service that tells of changes. */
interface Cloud {
  readonly provider: string;
  readonly oauth: OAuth;
  readonly account: { readonly id: string; readonly email: string };
  readonly app: NonNullable<Env['app']>;
  readonly info: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly webhooks: { route(origin: string, to: string): void; idle(): Promise<void> };
  readonly requests: readonly { readonly method: string; readonly path: string }[];
  /** Subscriptions that have not ended. */
  readonly open: () => number;
  readonly scopes?: readonly string[];
}

const stopAfter = (t: TestContext, simulator: { stop(): Promise<void>; assertClean(): void }): void =>
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });

async function startDrive(t: TestContext): Promise<Cloud & { readonly tokens: () => (string | undefined)[] }> {
  const google = await startGoogle({ client: { id: 'sheaf', secret: 'drive-secret', redirectUris } });
  stopAfter(t, google);
  const [account] = google.oauth.accounts;
  assert.ok(account);
  return {
    ...google,
    provider: 'GoogleDrive',
    account,
    info: { accountId: account.id, email: account.email },
    folder: '/',
    open: () => google.channels().length,
    scopes: ['https://www.googleapis.com/auth/drive'],
    tokens: () => google.channels().map(({ token }) => token),
  };
}

async function startOneDrive(t: TestContext, provider: 'OneDrive' | 'Sharepoint') {
  const microsoft = await startMicrosoft({ redirectUris });
  stopAfter(t, microsoft);
  const { people, apps, consumers, organizations } = microsoft;
  const [oauth, account] = provider === 'OneDrive' ? [consumers, people.mara] : [organizations, people.noor];
  const cloud: Cloud = {
    ...microsoft,
    provider,
    oauth,
    account,
    app: apps[provider],
    info: { accountId: account.id, account: account.email },
    folder: provider === 'OneDrive' ? '/' : '/Engineering/Drawings',
    open: () => microsoft.subscriptions.open().length,
  };
  return { ...cloud, subscriptions: microsoft.subscriptions };
}

async function startBoxes(t: TestContext) {
  const dropbox = await startDropbox({ redirectUris });
  stopAfter(t, dropbox);
  const [account] = dropbox.people.all.map((person) => person.account);
  assert.ok(account);
  const cloud: Cloud = {
    ...dropbox,
    provider: 'Dropbox',
    account,
    info: { accountId: account.id, email: account.email },
    folder: '/',
    open: () => 0,
  };
  return { ...cloud, enter: dropbox.webhook.enter };
}

const settingsOf = ({ provider, app }: Cloud): Readonly<Record<string, string>> => {
  const source = findSource(provider);
  const stem = source && 'settings' in source ? source.settings : undefined;
  const names = { apiUrl: 'API_URL', authUrl: 'AUTH_URL', clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET', tokenUrl: 'TOKEN_URL' };
  const all: readonly (readonly [string, string | undefined])[] = [
    ...Object.entries(names).map(([field, name]) => [name, app[field as keyof typeof names]] as const),
    ['UPLOAD_URL', app.uploadUrl],
  ];
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[`SHEAF_${stem}_${name}`, value]])));
};

/** Writes a file at the service, as another program of the account does. */
async function writeElsewhere({ provider, app, oauth, account, info, folder, scopes }: Cloud, name: string): Promise<void> {
  const definition = (await findDefinition(findSource(provider) ?? assert.fail())) ?? assert.fail();
  const { accessToken } = oauth.grant(provider === 'GoogleDrive' ? account.email : account.id, scopes);
  const connector = await definition.open(definition.parse(info, provider), {
    dialer: createDialer({ privateNetworks: 'allow' }),
    app,
    tokens: { access: async () => accessToken },
    remember: async () => undefined,
    recall: async () => undefined,
  });
  const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
  await connector.write?.(path, Readable.from([Buffer.from(name)]), { ...within(), ifExists: 'fail' });
  await connector.close();
}

/** A user who has linked the account, in an installation that services reach at its public address; everything of the link is known. */
async function linked(t: TestContext, cloud: Cloud, settings: Readonly<Record<string, string>> = { SHEAF_PUBLIC_URL: publicUrl }) {
  const app = await testApp(t, {
    settings: { SHEAF_CRAWL: 'on', SHEAF_PRIVATE_NETWORKS: 'allow', ...settingsOf(cloud), ...settings },
  });
  const user = await app.signUp();
  await app.services.accounts.markVerified({ id: user.userId, email: user.email });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.server.address();
  assert.ok(typeof address === 'object' && address);
  cloud.webhooks.route(publicUrl, `http://127.0.0.1:${address.port}`);
  if (!settings['SHEAF_PUBLIC_URL']) cloud.oauth.register(`${app.config.publicUrl}/oauth`);
  const { provider, oauth, account } = cloud;
  const at = await oauth.visit(await follow(user, startPath({ sourceType: provider, providerName: provider })), account as never);
  await user.ask(completeLinkAuth, Object.fromEntries(new URL(at).searchParams) as never);
  const [row] = await rowsOf(user);
  assert.ok(row, app.log());
  const { userLinkId } = row;
  await user.ask(keepSearchable, { userLinkId, isKept: true, forget: false });
  await eventually(async () => (await app.services.keeping.get(user.userId, userLinkId)).state === 'known', 'all is known');
  return { app, user, userLinkId, folder: linkUriOf(userLinkId, cloud.folder) };
}

const findDue = ({ services }: TestApp): Promise<unknown> => services.jobs.enqueue({ kind: 'knowledge.subscriptions', payload: {} });

/** Subscribes as the job of each minute does; the subscription is stored after the service has it. */
async function subscribe(app: TestApp, cloud: Cloud): Promise<void> {
  await findDue(app);
  const stored = () => app.services.db.selectFrom('link_hint').select('handle').where('handle', 'is not', null).executeTakeFirst();
  await eventually(async () => (await stored()) !== undefined, 'the service is subscribed to');
  assert.ok(cloud.open() > 0);
}
const hintedAt = async ({ services }: TestApp): Promise<number | null | undefined> =>
  (await services.db.selectFrom('link_knowledge').select('hintedAt').executeTakeFirst())?.hintedAt;

/** Changes something elsewhere; gives the milliseconds until the open window hears of it. */
async function shownAfter(
  t: TestContext,
  cloud: Cloud,
  { app, user, userLinkId, folder }: Awaited<ReturnType<typeof linked>>,
  name: string,
) {
  const window = await followFolders(t, app, user, userLinkId);
  await user.ask(remoteUpdate, { linkUri: folder, ...rows });
  window.heard.splice(0);
  const begunAt = performance.now();
  await writeElsewhere(cloud, name);
  const written = performance.now();
  await eventually(() => window.heard.includes(folder), `the window hears of ${name}`);
  const { items } = await user.ask(remoteUpdate, { linkUri: folder, ...rows, fresh: false, refresh: false });
  assert.ok(items.some((item) => item.name === name));
  assert.ok(begunAt <= written);
  return performance.now() - written;
}

async function renewNow({ app, userLinkId }: { app: TestApp; userLinkId: string }): Promise<void> {
  await app.services.db.updateTable('link_hint').set({ renewAt: 1 }).where('linkId', '=', userLinkId).execute();
  await findDue(app);
}

const post = async (
  { app }: TestApp,
  provider: string,
  headers: Readonly<Record<string, string>>,
  payload = '',
): Promise<[number, string]> => {
  const { statusCode, body } = await app.inject({ method: 'POST', url: hintPath(provider), headers, payload });
  return [statusCode, body];
};

for (const start of [
  startDrive,
  (t: TestContext) => startOneDrive(t, 'OneDrive'),
  (t: TestContext) => startOneDrive(t, 'Sharepoint'),
] as const)
  test('what changes at a service that was subscribed to shows in an open window before the service is asked by itself, and unlinking ends that', async (t) => {
    const cloud = await start(t);
    const setting = await linked(t, cloud);
    await subscribe(setting.app, cloud);
    const count = cloud.open();
    const took = await shownAfter(t, cloud, setting, 'made elsewhere.txt');
    assert.ok(took < soon, `${took} ms`);
    t.diagnostic(`${cloud.provider}: ${Math.round(took)} ms`);

    await renewNow(setting);
    const { db } = setting.app.services;
    const renewed = async () => (await db.selectFrom('link_hint').select('renewAt').executeTakeFirst())?.renewAt ?? 0;
    await eventually(async () => (await renewed()) > Date.now(), 'it is renewed');
    assert.equal(cloud.open(), count, 'the renewed subscription is the only one');
    const again = await shownAfter(t, cloud, setting, 'made after that.txt');
    assert.ok(again < soon, `${again} ms`);

    await cloud.webhooks.idle();
    await setting.user.ask(deleteLink, { userLinkId: setting.userLinkId });
    assert.equal(cloud.open(), 0);
    assert.deepEqual(await db.selectFrom('link_hint').selectAll().execute(), []);
    assert.doesNotMatch(setting.app.log(), /background task failed/);
  });

test('Dropbox tells of all accounts at the address in the settings of the application, once it has its challenge back', async (t) => {
  const cloud = await startBoxes(t);
  const setting = await linked(t, cloud);
  assert.ok(await cloud.enter(publicUrl + hintPath('Dropbox')));
  const took = await shownAfter(t, cloud, setting, 'made elsewhere.txt');
  assert.ok(took < soon, `${took} ms`);
  t.diagnostic(`Dropbox: ${Math.round(took)} ms`);
});

test('forged and unknown hints are answered alike and do nothing', async (t) => {
  const [drive, boxes] = [await startDrive(t), await startBoxes(t)];
  const { app } = await linked(t, drive, { SHEAF_PUBLIC_URL: publicUrl, ...settingsOf(boxes) });
  await subscribe(app, drive);
  await drive.webhooks.idle();
  const questions = async (): Promise<number> =>
    (await app.services.db.selectFrom('job').select('id').where('dedupeKey', 'like', 'hint %').execute()).length;
  const before = { hintedAt: await hintedAt(app), questions: await questions() };
  const [token = ''] = drive.tokens();
  assert.ok(token.length > 40);
  const list_folder = { accounts: [boxes.account.id] };
  const answers = [
    await post(app, 'GoogleDrive', { 'x-goog-channel-id': 'a', 'x-goog-channel-token': `${token.slice(0, -1)}!` }),
    await post(app, 'GoogleDrive', { 'x-goog-channel-id': 'a' }),
    await post(app, 'OneDrive', { 'content-type': 'application/json' }, JSON.stringify({ value: [{ clientState: token }] })),
    await post(app, 'Dropbox', { 'x-dropbox-signature': '0'.repeat(64) }, JSON.stringify({ list_folder })),
    await post(app, 'Dropbox', {}, JSON.stringify({ list_folder })),
    await post(app, 'Box', {}),
    await post(app, 'nothing', {}),
  ];
  for (const answer of answers) assert.deepEqual(answer, [404, '']);
  assert.equal(await hintedAt(app), before.hintedAt);
  assert.equal(await questions(), before.questions);
  const stored = await app.services.db.selectFrom('link_hint').selectAll().execute();
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(token), 'the secret is not stored');
});

test('many hints about one link lead to one question a second', async (t) => {
  const drive = await startDrive(t);
  const { app } = await linked(t, drive);
  await subscribe(app, drive);
  await drive.webhooks.idle();
  const [token = ''] = drive.tokens();
  const asked = () => drive.requests.filter(({ method, path }) => method === 'GET' && path === '/drive/v3/changes').length;
  const before = asked();
  const begunAt = Date.now();
  for (let count = 0; count < 40; count += 1)
    assert.equal((await post(app, 'GoogleDrive', { 'x-goog-channel-id': 'a', 'x-goog-channel-token': token }))[0], 200);
  await eventually(() => asked() > before, 'the service is asked');
  await eventually(async () => Number(await hintedAt(app)) + 1500 < Date.now(), 'no question is planned');
  const most = 2 + Math.ceil((Date.now() - begunAt) / 1000);
  assert.ok(asked() - before <= most, `${asked() - before} questions in ${Date.now() - begunAt} ms`);
});

test('Microsoft asks to renew a subscription, and it is renewed', async (t) => {
  const cloud = await startOneDrive(t, 'OneDrive');
  const { app } = await linked(t, cloud);
  await subscribe(app, cloud);
  const renewals = () => cloud.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/subscriptions/')).length;
  assert.equal(renewals(), 0);
  cloud.subscriptions.askAgain();
  await eventually(() => renewals() === 1, 'it is renewed');
});

test('without an address that services reach nothing is subscribed to, and nothing is heard', async (t) => {
  const drive = await startDrive(t);
  const { app } = await linked(t, drive, {});
  await findDue(app);
  await app.services.background.idle();
  await eventually(async () => (await app.services.jobs.failing(10)).length === 0, 'the job has ended');
  assert.ok(!drive.requests.some(({ path }) => path.endsWith('/watch')));
  assert.equal(drive.open(), 0);
  const echo = await app.app.inject({ method: 'POST', url: `${hintPath('OneDrive')}?validationToken=abc` });
  assert.deepEqual([echo.statusCode, echo.body], [404, '']);
  for (const url of [
    'http://files.example.org',
    'https://localhost',
    'https://nas',
    'https://nas.local',
    'https://192.168.1.2',
    'https://[::1]',
  ])
    assert.equal(isCallable(url), false, url);
  for (const url of [publicUrl, 'https://8.8.8.8']) assert.equal(isCallable(url), true, url);
});
