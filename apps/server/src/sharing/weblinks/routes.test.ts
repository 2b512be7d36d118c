import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Weblink,
  createWeblink,
  deleteObject,
  downloadWeblink,
  familyCalls,
  getWeblinks,
  linkUriOf,
  listWeblink,
  openWeblink,
  removeWeblink,
  deleteLink,
  updateWeblink,
} from '@sheaf/contract';
import type { Visitor } from '#/testing/app.ts';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

const day = 86_400;

async function setting(t: TestContext) {
  let time = 1_800_000_000;
  const app = await linkApp(t, { now: () => time });
  app.source.put('/Trip/a.txt', 'first');
  app.source.put('/Trip/b.txt', 'second one');
  app.source.put('/Trip/Deep/c.txt', 'third');
  app.source.put('/Trip2/secret.txt', 'secret');
  app.source.put('/secret.txt', 'secret');
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  const share = async (path: string, more: { password?: string; expirationSeconds?: number } = {}) => {
    const { sharelinkurl } = await app.user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, path), ...more });
    return { weblinkId: sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1), sharelinkurl };
  };
  const weblinks = (): Promise<Weblink[]> => app.user.ask(getWeblinks, {});
  return { ...app, userLinkId, share, weblinks, pass: (seconds: number) => void (time += seconds) };
}

const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
const listed = async (someone: Visitor, weblinkId: string, path = '') =>
  (await someone.ask(listWeblink, { weblinkId, path, ...view })).items.map((item) => item.path);
const fetched = async (someone: Visitor, weblinkId: string, path: string) => {
  const answer = await someone.send(downloadWeblink, { weblinkId, path });
  return [answer.statusCode, answer.statusCode === 200 ? answer.body : answer.json<{ messageCode: string }>().messageCode];
};

test('a share is listed with all its fields, the newest first [SHR-23] [SHR-24] [SHR-30] [SHR-55] [API-55] [API-57]', async (t) => {
  const { share, weblinks, userLinkId, config } = await setting(t);
  const first = await share('/Trip');
  const second = await share('/Trip/a.txt', { password: 'x', expirationSeconds: 7 * day });
  assert.match(first.weblinkId, /^[0-9A-Za-z]{22}$/);
  assert.equal(first.sharelinkurl, `${config.publicUrl}/s/${first.weblinkId}`);
  assert.deepEqual(await weblinks(), [
    {
      weblinkId: second.weblinkId,
      name: 'a.txt',
      nbrVisits: 0,
      createdTimeStamp: 1_800_000_000,
      expirationSeconds: 7 * day,
      expirationTimeStamp: 1_800_000_000 + 7 * day,
      isFolder: false,
      hasPassword: true,
      sharelinkurl: second.sharelinkurl,
      linkUri: linkUriOf(userLinkId, '/Trip/a.txt'),
    },
    {
      weblinkId: first.weblinkId,
      name: 'Trip',
      nbrVisits: 0,
      createdTimeStamp: 1_800_000_000,
      expirationSeconds: 0,
      isFolder: true,
      hasPassword: false,
      sharelinkurl: first.sharelinkurl,
      linkUri: linkUriOf(userLinkId, '/Trip'),
    },
  ]);
});

test('a file, a folder and a whole link can be shared, and a visitor sees no more than that [SHR-57]', async (t) => {
  const { share, visitor } = await setting(t);
  const stranger = visitor();
  const folder = await share('/Trip');
  const opened = await stranger.ask(openWeblink, { weblinkId: folder.weblinkId });
  assert.deepEqual([opened.name, opened.isFolder, opened.expirationSeconds, opened.item.path], ['Trip', true, 0, '']);
  assert.deepEqual(await listed(stranger, folder.weblinkId), ['Deep', 'a.txt', 'b.txt']);
  assert.deepEqual(await listed(stranger, folder.weblinkId, 'Deep'), ['Deep/c.txt']);
  assert.deepEqual(await fetched(stranger, folder.weblinkId, 'Deep/c.txt'), [200, 'third']);

  const file = await share('/Trip/a.txt');
  assert.deepEqual((await stranger.ask(openWeblink, { weblinkId: file.weblinkId })).item, {
    name: 'a.txt',
    path: '',
    fileType: 'FILE',
    mimeType: 'text/plain',
    modified: 1_700_000_000,
    size: 5,
  });
  assert.deepEqual(await fetched(stranger, file.weblinkId, ''), [200, 'first']);

  const root = await share('/');
  assert.deepEqual((await stranger.ask(openWeblink, { weblinkId: root.weblinkId })).name, 'NAS');
  assert.deepEqual(await listed(stranger, root.weblinkId), ['Trip', 'Trip2', 'secret.txt']);
});

test('an address of no item is refused with 415 [ERR-15]', async (t) => {
  const { user, userLinkId, weblinks, signUp } = await setting(t);
  const other = await signUp();
  for (const linkUri of ['', 'nonsense', '/nolink/x', linkUriOf(userLinkId, '/missing'), `/${userLinkId}/..`, `/${userLinkId}/%2e%2e`]) {
    const { errorCode, messageCode } = await user.refusal(createWeblink, { linkUri });
    assert.deepEqual([errorCode, messageCode], [415, 'INVALID_SHARE_URI'], linkUri);
  }
  assert.equal((await other.refusal(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip') })).errorCode, 415);
  assert.equal((await user.refusal(createWeblink, {})).errorCode, 107);
  assert.deepEqual(await weblinks(), []);
});

test('creating takes POST only; a visitor without a session manages no shares [SHR-17]', async (t) => {
  const { user, visitor, userLinkId, share } = await setting(t);
  const linkUri = linkUriOf(userLinkId, '/Trip');
  assert.equal((await user.inject({ url: `${createWeblink.path}?linkUri=${encodeURIComponent(linkUri)}` })).statusCode, 405);
  const { weblinkId } = await share('/Trip');
  const stranger = visitor();
  assert.equal((await stranger.refusal(getWeblinks, {})).errorCode, 104);
  assert.equal((await stranger.refusal(createWeblink, { linkUri })).errorCode, 104);
  assert.equal((await stranger.refusal(updateWeblink, { weblinkUri: weblinkId })).errorCode, 104);
  assert.equal((await stranger.refusal(removeWeblink, { webLinkId: weblinkId })).errorCode, 104);
});

test("nobody changes or ends another user's share", async (t) => {
  const { share, weblinks, signUp } = await setting(t);
  const { weblinkId } = await share('/Trip', { password: 'old' });
  const other = await signUp();
  const change = { weblinkUri: weblinkId, passwordChanged: true, password: '' };
  assert.deepEqual((await other.refusal(updateWeblink, change)).messageCode, 'WEBLINK_GONE');
  assert.deepEqual((await other.refusal(removeWeblink, { webLinkId: weblinkId })).messageCode, 'WEBLINK_GONE');
  assert.deepEqual(await other.ask(getWeblinks, {}), []);
  assert.deepEqual(
    (await weblinks()).map(({ hasPassword }) => hasPassword),
    [true],
  );
});

test('a password is required before anything is shown, and opens the share for this browser only [SHR-47] [SHR-54] [SHR-58]', async (t) => {
  const { share, visitor, log, pass } = await setting(t);
  const { weblinkId } = await share('/Trip', { password: 'Möhre' });
  const other = await share('/Trip2', { password: 'Möhre' });
  const stranger = visitor();
  const needed = await stranger.refusal(openWeblink, { weblinkId });
  assert.deepEqual([needed.status, needed.errorCode, needed.message], [422, 422, 'This link is protected. Enter the password.']);
  assert.equal((await stranger.refusal(listWeblink, { weblinkId })).messageCode, 'WEBLINK_PASSWORD_NEEDED');
  assert.deepEqual(await fetched(stranger, weblinkId, 'a.txt'), [422, 'WEBLINK_PASSWORD_NEEDED']);
  const wrong = await stranger.refusal(openWeblink, { weblinkId, password: 'möhre' });
  assert.deepEqual([wrong.errorCode, wrong.message], [422, 'That password is not correct.']);

  const right = await stranger.send(openWeblink, { weblinkId, password: 'Mo\u0308hre' });
  assert.equal(right.statusCode, 200);
  assert.match(
    String(right.headers['set-cookie']),
    /^weblink-\w{22}=\d+\.[\w-]{43}; Path=\/rest\/weblink; SameSite=Lax; Max-Age=3600; HttpOnly$/,
  );
  assert.deepEqual(await listed(stranger, weblinkId, 'Deep'), ['Deep/c.txt']);
  assert.deepEqual(await fetched(stranger, weblinkId, 'a.txt'), [200, 'first']);
  await stranger.ask(openWeblink, { weblinkId });

  assert.deepEqual(await fetched(visitor(), weblinkId, 'a.txt'), [422, 'WEBLINK_PASSWORD_NEEDED']);
  const cookie = stranger.cookies.get(`weblink-${weblinkId}`) ?? '';
  const forger = visitor();
  forger.cookies.set(`weblink-${other.weblinkId}`, cookie);
  assert.deepEqual(await fetched(forger, other.weblinkId, 'secret.txt'), [422, 'WEBLINK_PASSWORD_NEEDED']);
  forger.cookies.set(`weblink-${weblinkId}`, cookie.replace(/^\d/, '9'));
  assert.deepEqual(await fetched(forger, weblinkId, 'a.txt'), [422, 'WEBLINK_PASSWORD_NEEDED']);
  pass(3601);
  assert.deepEqual(await fetched(stranger, weblinkId, 'a.txt'), [422, 'WEBLINK_PASSWORD_NEEDED']);
  assert.doesNotMatch(log(), /M(ö|o\u0308)hre/);
});

test('a changed password ends every visit; an emptied one admits everybody; an untouched one stays [API-58] [API-59]', async (t) => {
  const { user, share, visitor, weblinks } = await setting(t);
  const { weblinkId, sharelinkurl } = await share('/Trip', { password: 'one' });
  const stranger = visitor();
  await stranger.ask(openWeblink, { weblinkId, password: 'one' });
  assert.deepEqual(await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 0, password: 'ignored' }), { status: 'ok' });
  assert.deepEqual(await fetched(stranger, weblinkId, 'a.txt'), [200, 'first']);

  await user.ask(updateWeblink, { weblinkUri: sharelinkurl, passwordChanged: true, password: 'two' });
  assert.deepEqual(await fetched(stranger, weblinkId, 'a.txt'), [422, 'WEBLINK_PASSWORD_NEEDED']);
  assert.equal((await stranger.refusal(openWeblink, { weblinkId, password: 'one' })).messageCode, 'WEBLINK_PASSWORD_WRONG');
  await stranger.ask(openWeblink, { weblinkId, password: 'two' });

  await user.ask(updateWeblink, { weblinkUri: weblinkId, passwordChanged: true, password: '' });
  assert.deepEqual(
    (await weblinks()).map(({ hasPassword }) => hasPassword),
    [false],
  );
  await visitor().ask(openWeblink, { weblinkId });
});

test('after ten wrong passwords a visitor has to wait, even with the right one', async (t) => {
  const { share, visitor, pass } = await setting(t);
  const { weblinkId } = await share('/Trip', { password: 'right' });
  const stranger = visitor();
  for (let tries = 0; tries < 10; tries++)
    assert.equal((await stranger.refusal(openWeblink, { weblinkId, password: `wrong ${tries}` })).messageCode, 'WEBLINK_PASSWORD_WRONG');
  const refused = await stranger.refusal(openWeblink, { weblinkId, password: 'right' });
  assert.deepEqual([refused.status, refused.messageCode], [429, 'TOO_MANY_TRIES']);
  pass(15 * 60);
  await stranger.ask(openWeblink, { weblinkId, password: 'right' });
});

test('shares that are unknown, expired, deleted or unlinked, or whose item or owner is gone, look alike [SHR-59] [API-56]', async (t) => {
  const { user, share, visitor, pass, userLinkId, services } = await setting(t);
  const ids: Record<string, string> = { unknown: 'A'.repeat(22), nonsense: '../../etc/passwd', empty: '' };
  const expiring = await share('/Trip', { expirationSeconds: day });
  ids['expired'] = expiring.weblinkId;
  const removed = await share('/Trip');
  await user.ask(removeWeblink, { webLinkId: removed.weblinkId });
  ids['deleted'] = removed.weblinkId;
  const item = await share('/Trip/b.txt');
  await user.ask(deleteObject, { linkUri: linkUriOf(userLinkId, '/Trip/b.txt') });
  ids['item gone'] = item.weblinkId;
  const stranger = visitor();
  pass(day - 1);
  await stranger.ask(openWeblink, { weblinkId: expiring.weblinkId });
  pass(1);
  const gone = { status: 404, errorCode: 415, messageCode: 'WEBLINK_GONE', details: {} };
  const message = 'This link is not available. It may have expired or been removed.';
  for (const [why, weblinkId] of Object.entries(ids)) {
    assert.deepEqual(await stranger.refusal(openWeblink, { weblinkId }), { ...gone, message }, why);
    if (why === 'item gone') continue;
    assert.deepEqual(await stranger.refusal(openWeblink, { weblinkId, password: 'guess' }), { ...gone, message }, why);
    assert.deepEqual(await stranger.refusal(listWeblink, { weblinkId }), { ...gone, message }, why);
    assert.deepEqual(await fetched(stranger, weblinkId, 'a.txt'), [404, 'WEBLINK_GONE'], why);
  }

  const lasting = await share('/Trip');
  await services.database.db.updateTable('account').set({ disabledAt: 1 }).where('id', '=', user.userId).execute();
  assert.deepEqual(await stranger.refusal(openWeblink, { weblinkId: lasting.weblinkId }), { ...gone, message });
  await services.database.db.updateTable('account').set({ disabledAt: null }).where('id', '=', user.userId).execute();
  await stranger.ask(openWeblink, { weblinkId: lasting.weblinkId });
  await user.ask(deleteLink, { userLinkId });
  assert.deepEqual(await stranger.refusal(openWeblink, { weblinkId: lasting.weblinkId }), { ...gone, message });
  assert.deepEqual(await user.ask(getWeblinks, {}), []);
});

test('an expiration counts from creation, a changed one from the change, and saving it unchanged keeps it [SHR-25] [SHR-26]', async (t) => {
  const { user, share, weblinks, pass } = await setting(t);
  const { weblinkId } = await share('/Trip', { expirationSeconds: day });
  const expiry = async () =>
    (await weblinks()).map(({ expirationSeconds, expirationTimeStamp }) => [expirationSeconds, expirationTimeStamp]);
  pass(100);
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: day });
  await user.ask(updateWeblink, { weblinkUri: weblinkId });
  assert.deepEqual(await expiry(), [[day, 1_800_000_000 + day]]);
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 7 * day });
  assert.deepEqual(await expiry(), [[7 * day, 1_800_000_100 + 7 * day]]);
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 0 });
  assert.deepEqual(await expiry(), [[0, undefined]]);
});

test('an expiration that is not offered means never [SHR-52]', async (t) => {
  const { user, share, weblinks } = await setting(t);
  const expiry = async () =>
    (await weblinks()).map(({ expirationSeconds, expirationTimeStamp }) => [expirationSeconds, expirationTimeStamp])[0];
  for (const expirationSeconds of [60, -1, 0.5, 3 * day, 4_000_000_001]) {
    const { weblinkId } = await share('/Trip', { expirationSeconds });
    assert.deepEqual(await expiry(), [0, undefined], `${expirationSeconds}`);
    await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: day });
    await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds });
    assert.deepEqual(await expiry(), [0, undefined], `${expirationSeconds}`);
  }
});

test('an expired share can be renewed with any term, its own included, from now on', async (t) => {
  const { user, share, weblinks, pass, visitor } = await setting(t);
  const { weblinkId } = await share('/Trip', { expirationSeconds: day });
  for (const [seconds, elapsed] of [
    [day, day],
    [7 * day, 2 * day],
    [0, 9 * day],
  ] as const) {
    pass(elapsed);
    assert.equal((await visitor().refusal(openWeblink, { weblinkId })).messageCode, 'WEBLINK_GONE');
    await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: seconds });
    await visitor().ask(openWeblink, { weblinkId });
    const [row] = await weblinks();
    assert.equal(row?.expirationSeconds, seconds);
  }
});

test('a visit is counted once per opening: not for the owner, a wrong password, a listing or a download [SHR-60]', async (t) => {
  const { user, share, visitor, weblinks } = await setting(t);
  const { weblinkId } = await share('/Trip', { password: 'right' });
  const visits = async () => (await weblinks())[0]?.nbrVisits;
  const stranger = visitor();
  await stranger.refusal(openWeblink, { weblinkId });
  await stranger.refusal(openWeblink, { weblinkId, password: 'wrong' });
  assert.equal(await visits(), 0);
  await stranger.ask(openWeblink, { weblinkId, password: 'right' });
  await listed(stranger, weblinkId);
  await fetched(stranger, weblinkId, 'a.txt');
  assert.equal(await visits(), 1);
  await user.ask(openWeblink, { weblinkId, password: 'right' });
  assert.equal(await visits(), 1);
  await Promise.all([1, 2, 3].map(() => visitor().ask(openWeblink, { weblinkId, password: 'right' })));
  assert.equal(await visits(), 4);
});

test("a visitor learns neither the owner's problems with the source nor which source it is", async (t) => {
  const { share, visitor, refuse } = await setting(t);
  const { weblinkId } = await share('/Trip');
  for (const kind of ['unauthorized', 'unreachable', 'needsAuthorization', 'hostKeyChanged', 'forbidden'] as const) {
    refuse(kind, { fingerprint: 'SHA256:planted' });
    const answer = await visitor().send(downloadWeblink, { weblinkId, path: 'a.txt' });
    assert.equal(answer.json<{ errorCode: number }>().errorCode, 740, kind);
    assert.doesNotMatch(answer.body, /SFTP|nas\.example|planted/i);
  }
});
