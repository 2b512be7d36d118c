import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { completeLinkAuth, linkAuthUrl, linkOutcomePath } from '@sheaf/contract';
import { addSftp, rowsOf } from '#/testing/links.ts';
import { type DriveApp, answerIn, authorize, driveApp, finishAt, mara, noor } from '#/testing/storages/drive.ts';

const ask = () => ({ signal: AbortSignal.timeout(10_000) });

async function linked(t: TestContext, options: Parameters<typeof driveApp>[1] = {}) {
  const app = await driveApp(t, options);
  await authorize(app);
  const [link] = await rowsOf(app.user);
  assert.ok(link);
  const { userId } = app.user;
  return {
    ...app,
    link,
    row: async () => (await rowsOf(app.user))[0],
    connector: async () => (await app.services.connections.open(userId, link.userLinkId)).connector,
  };
}

const reauthorized = async (app: DriveApp, linkUri: string, account: typeof mara, redirectUrl?: string): Promise<string> => {
  const { url } = await app.user.ask(linkAuthUrl, { linkUri, ...(redirectUrl !== undefined && { redirectUrl }) });
  return finishAt(app, url, account);
};

test('a revoked grant makes the link need attention, and authorizing again repairs the same link [OAU-27] [API-45]', async (t) => {
  const app = await linked(t);
  const { link, row, connector, drive, services } = app;
  await (await connector()).stat('/', ask());
  drive.oauth.revokeAccount(mara.email);
  await assert.rejects((await connector()).stat('/', ask()), { messageCode: 'AUTHORIZATION_NEEDED' });
  await services.background.idle();
  const attention = 'Dropbox no longer lets Sheaf in. Please authorize Sheaf again.';
  assert.deepEqual([(await row())?.state, (await row())?.attention], ['attention', attention]);

  const outdated = await connector();
  assert.equal(await reauthorized(app, `${link.linkUri}/folder/a.txt`, mara, '/browse/My%20Dropbox'), '/browse/My%20Dropbox');
  const { checkedAt: _one, ...before } = link;
  const { checkedAt: _two, ...after } = (await row()) ?? {};
  assert.deepEqual(after, before);
  assert.notEqual(await connector(), outdated);
  assert.equal((await (await connector()).stat('/', ask())).kind, 'folder');
});

test('a link cannot be authorized with another account: nothing changes, and the grant of the other one is revoked [ERR-17]', async (t) => {
  const app = await linked(t);
  const { link, row, connector, drive, services } = app;
  const stored = () => services.database.db.selectFrom('link_secret').selectAll().execute();
  const before = [await row(), await stored()];
  assert.equal(await reauthorized(app, link.linkUri, noor), linkOutcomePath('mismatch'));
  assert.deepEqual([await row(), await stored()], before);
  await (await connector()).stat('/', ask());
  await services.background.idle();
  assert.ok(drive.simulator.requests.some(({ path }) => path === '/auth/revoke'));
});

test('the provider page of a link is returned only to its owner, and only if there is one', async (t) => {
  const app = await linked(t);
  const stranger = await app.signUp();
  assert.equal((await stranger.refusal(linkAuthUrl, { linkUri: app.link.linkUri })).errorCode, 351);
  for (const linkUri of ['/nonsense', '', '/../x']) assert.equal((await app.user.refusal(linkAuthUrl, { linkUri })).errorCode, 351);
  const sftp = await addSftp(app.user, 'NAS');
  assert.equal((await app.user.refusal(linkAuthUrl, { linkUri: sftp.linkUri })).errorCode, 111);
});

test('a link whose provider the operator has removed cannot be authorized', async (t) => {
  const app = await linked(t);
  await app.services.database.db.updateTable('link').set({ provider: 'Box' }).execute();
  const refusal = await app.user.refusal(linkAuthUrl, { linkUri: app.link.linkUri });
  assert.deepEqual([refusal.errorCode, refusal.message], [727, 'This provider is not configured on this installation.']);
});

test('a prompt is passed on', async (t) => {
  const { user, link } = await linked(t);
  const promptOf = async (authPrompt: boolean) =>
    new URL((await user.ask(linkAuthUrl, { linkUri: link.linkUri, authPrompt })).url).searchParams.get('prompt');
  assert.deepEqual([await promptOf(true), await promptOf(false)], ['consent', null]);
});

test('a link that is unlinked meanwhile stays unlinked', async (t) => {
  const app = await linked(t);
  const { url } = await app.user.ask(linkAuthUrl, { linkUri: app.link.linkUri });
  const answer = answerIn(await app.drive.oauth.visit(url, mara));
  await app.services.links.unlink(app.user.userId, { userLinkId: app.link.userLinkId });
  assert.equal((await app.user.ask(completeLinkAuth, answer)).url, linkOutcomePath('unexpectederror'));
  assert.deepEqual(await rowsOf(app.user), []);
});

test('the start page accepts a userLinkId of the same user and provider only', async (t) => {
  const app = await linked(t);
  const { userLinkId } = app.link;
  const start = (user: DriveApp['user'], sourceType: string) =>
    user.inject({ url: `/linkwebservice?sourceType=${sourceType}&userLinkId=${userLinkId}` }).then(({ headers }) => headers.location ?? '');
  assert.match(await start(app.user, 'Dropbox'), /\/auth\/authorize\?/);
  assert.equal(await start(app.user, 'GoogleDrive'), '/linkprocessing/requesterror?reason=nolink&provider=GoogleDrive');
  assert.equal(await start(await app.signUp(), 'Dropbox'), '/linkprocessing/requesterror?reason=nolink&provider=Dropbox');
});

test('unlinking revokes the grant at the provider, unless another link uses the same authorization', async (t) => {
  const app = await linked(t);
  const other = await app.signUp();
  await authorize({ ...app, user: other });
  const revocations = async () => {
    await app.services.background.idle();
    return app.drive.simulator.requests.filter(({ path }) => path === '/auth/revoke').length;
  };
  await app.services.links.unlink(app.user.userId, { userLinkId: app.link.userLinkId });
  assert.equal(await revocations(), 0);
  const [theirs] = await rowsOf(other);
  assert.ok(theirs);
  const { connector } = await app.services.connections.open(other.userId, theirs.userLinkId);
  await connector.stat('/', ask());
  await app.services.links.unlink(other.userId, { userLinkId: theirs.userLinkId });
  assert.equal(await revocations(), 1);
});

test('a provider that does not revoke a grant harms nothing: the link is gone, and the log says so', async (t) => {
  const app = await linked(t);
  await app.drive.simulator.stop();
  await app.services.links.unlink(app.user.userId, { userLinkId: app.link.userLinkId });
  await app.services.background.idle();
  assert.deepEqual(await rowsOf(app.user), []);
  assert.match(app.log(), /"task":"taking a grant back"/);
});
