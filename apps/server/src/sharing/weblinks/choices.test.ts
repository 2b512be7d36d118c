import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type InputOf,
  archiveWeblink,
  createWeblink,
  downloadWeblink,
  familyCalls,
  getWeblinks,
  linkUriOf,
  listWeblink,
  openWeblink,
  updateWeblink,
} from '@sheaf/contract';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';
import { newSubjects } from '#/testing/outbox.ts';

const begin = 1_800_000_000;
const day = 86_400;

async function shared(t: TestContext, choices: Partial<InputOf<typeof createWeblink>>) {
  let time = begin;
  const app = await linkApp(t, { now: () => time });
  for (const name of ['a.txt', 'b.txt', 'c.zip']) app.source.put(`/Trip/${name}`, name);
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  const { sharelinkurl } = await app.user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip'), ...choices });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  /** The answer to a stranger's download: its status, and its bytes or the code of the refusal. */
  const get = async (path: string, more: { inline?: boolean; address?: string; range?: string; method?: 'HEAD' } = {}) => {
    const answer = await app.app.inject({
      method: more.method ?? 'GET',
      url: `${downloadWeblink.path}?${new URLSearchParams({ weblinkId, path, ...(more.inline && { inline: 'true' }) }).toString()}`,
      remoteAddress: more.address ?? '192.0.2.1',
      headers: { ...(more.range !== undefined && { range: more.range }) },
    });
    return answer.statusCode < 400 ? answer.body : answer.json<{ messageCode: string }>().messageCode;
  };
  const own = async () => (await app.user.ask(getWeblinks, {}))[0];
  return { ...app, weblinkId, get, own, pass: (seconds: number) => void (time += seconds) };
}

test('a share with a limit gives as many downloads, of which the parts and repetitions of a network within an hour count once', async (t) => {
  const { get, own, pass, user, visitor, weblinkId } = await shared(t, { downloadLimit: 2 });
  assert.equal(await get('a.txt', { method: 'HEAD' }), '');
  assert.equal((await own())?.downloads, 0);
  assert.equal(await get('a.txt', { range: 'bytes=2-' }), 'txt');
  assert.equal(await get('a.txt'), 'a.txt');
  assert.equal(await get('a.txt', { inline: true }), 'a.txt');
  assert.equal((await own())?.downloads, 1);
  const both = await Promise.all([get('a.txt', { address: '198.51.100.7' }), get('b.txt', { address: '203.0.113.9' })]);
  assert.equal(both.filter((answer) => answer === 'WEBLINK_USED_UP').length, 1);
  assert.deepEqual([(await own())?.downloadLimit, (await own())?.downloads], [2, 2]);
  // Whoever has begun may go on.
  assert.equal(await get('a.txt', { range: 'bytes=1-' }), '.txt');
  assert.equal((await visitor().refusal(openWeblink, { weblinkId })).messageCode, 'WEBLINK_USED_UP');
  assert.equal((await visitor().send(archiveWeblink, { weblinkId, path: [''] })).statusCode, 410);
  pass(3601);
  assert.equal(await get('a.txt'), 'WEBLINK_USED_UP');
  await user.ask(updateWeblink, { weblinkUri: weblinkId, downloadLimit: 0 });
  assert.equal(await get('b.txt'), 'b.txt');
  assert.equal((await own())?.downloadLimit, undefined);
});

test('a share for viewing shows what browsers show and gives no other bytes', async (t) => {
  const { get, own, user, visitor, weblinkId } = await shared(t, { viewOnly: true });
  const opened = await visitor().ask(openWeblink, { weblinkId });
  assert.equal(opened.viewOnly, true);
  const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
  assert.equal((await visitor().ask(listWeblink, { weblinkId, ...view })).total, 3);
  assert.equal(await get('a.txt'), 'WEBLINK_VIEW_ONLY');
  assert.equal(await get('a.txt', { inline: true }), 'a.txt');
  assert.equal(await get('c.zip', { inline: true }), 'WEBLINK_VIEW_ONLY');
  assert.equal((await visitor().send(archiveWeblink, { weblinkId, path: ['a.txt'] })).statusCode, 403);
  assert.equal((await own())?.viewOnly, true);
  await user.ask(updateWeblink, { weblinkUri: weblinkId, viewOnly: false });
  assert.equal(await get('c.zip'), 'c.zip');
});

test('a share ends on a day of the owner’s choice, which a change of something else keeps', async (t) => {
  const { get, own, pass, user, weblinkId } = await shared(t, { endsAt: begin + 3 * day, expirationSeconds: day });
  assert.deepEqual([(await own())?.expirationSeconds, (await own())?.expirationTimeStamp], [0, begin + 3 * day]);
  pass(2 * day);
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 0, passwordChanged: false, downloadLimit: 5 });
  assert.equal((await own())?.expirationTimeStamp, begin + 3 * day);
  assert.equal(await get('a.txt'), 'a.txt');
  pass(day);
  assert.equal(await get('a.txt'), 'WEBLINK_GONE');
  assert.equal((await user.refusal(updateWeblink, { weblinkUri: weblinkId, endsAt: begin })).messageCode, 'INVALID_PARAMETER');
  await user.ask(updateWeblink, { weblinkUri: weblinkId, endsAt: begin + 9 * day });
  assert.equal(await get('a.txt'), 'a.txt');
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 0, endsAt: 0 });
  assert.equal((await own())?.expirationTimeStamp, undefined);
});

test('the owner is told once a day that strangers open a share, and not of their own visits', async (t) => {
  const stand = await shared(t, { notifies: true });
  const { user, visitor, weblinkId, pass } = stand;
  const subjects = await newSubjects(stand, user.email);
  await user.ask(openWeblink, { weblinkId });
  await Promise.all([visitor().ask(openWeblink, { weblinkId }), visitor().ask(openWeblink, { weblinkId })]);
  assert.deepEqual(await subjects(), ['Somebody opened your link to Trip']);
  pass(day - 1);
  await visitor().ask(openWeblink, { weblinkId });
  assert.deepEqual(await subjects(), []);
  pass(1);
  await visitor().ask(openWeblink, { weblinkId });
  assert.deepEqual(await subjects(), ['Somebody opened your link to Trip']);
});

test('a share with encrypted items counts and refuses as others do, but for its index, and tells strangers nothing that is sealed', async (t) => {
  const { source, get, own, visitor, weblinkId, user } = await shared(t, {
    sealed: 'sealed by a browser',
    downloadLimit: 1,
    viewOnly: true,
  });
  source.put('/Trip/index', 'encrypted');
  assert.equal((await own())?.sealed, 'sealed by a browser');
  const opened = await visitor().ask(openWeblink, { weblinkId });
  assert.deepEqual([opened.sealed, JSON.stringify(opened).includes('by a browser')], [true, false]);
  assert.equal(await get('index', { inline: true }), 'encrypted');
  assert.equal((await own())?.downloads, 0);
  // What kind of file it is nobody knows, so that none is refused to the page that shows it.
  assert.equal(await get('c.zip', { inline: true }), 'c.zip');
  assert.equal((await own())?.downloads, 1);
  assert.equal(await get('a.txt', { inline: true }), 'WEBLINK_USED_UP');
  assert.equal(await get('index', { inline: true }), 'encrypted');
  assert.equal(await get('c.zip'), 'WEBLINK_VIEW_ONLY');
  const { linkUri = '' } = (await own()) ?? {};
  assert.equal((await user.refusal(createWeblink, { linkUri: `${linkUri}/a.txt`, sealed: 'x' })).messageCode, 'NOT_A_FOLDER');
});
