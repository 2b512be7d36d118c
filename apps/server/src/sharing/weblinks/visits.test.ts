import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  archiveWeblink,
  createWeblink,
  downloadWeblink,
  linkUriOf,
  listWeblink,
  openWeblink,
  removeWeblink,
  updateWeblink,
} from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

/** A share whose download takes more than a minute: the source pauses between chunks, of which an archive needs some before it sends. */
async function slowShare(
  t: TestContext,
  { password, settings = {}, now }: { password?: string; settings?: Record<string, string>; now?: () => number } = {},
) {
  const app = await linkApp(t, { chunkSize: 4096, settings, ...(now && { now }) });
  const { source, user } = app;
  source.put('/films/film.mkv', Buffer.alloc(64 << 20));
  source.setGate(async (operation, _path, part) => {
    if (operation === 'read' && part > 0) await sleep(5);
  });
  const { userLinkId } = await addSftp(user, 'NAS');
  const share = { linkUri: linkUriOf(userLinkId, '/films'), ...(password !== undefined && { password }) };
  const { sharelinkurl } = await user.ask(createWeblink, share);
  return { ...app, sharelinkurl, weblinkId: sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1) };
}
type Slow = Awaited<ReturnType<typeof slowShare>>;

/** Starts to read over a real connection; `ended` tells how it ended. */
async function reading({ app }: Pick<Slow, 'app'>, path: string, headers: Record<string, string> = {}) {
  const origin = app.server.listening
    ? `http://127.0.0.1:${portOf(app.server.address())}`
    : await app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(origin + path, { headers });
  assert.equal(answer.status, 200);
  const reader = answer.body?.getReader();
  assert.ok(reader);
  assert.equal((await reader.read()).done, false);
  const rest = async (): Promise<'whole' | 'cut'> => {
    for (;;) if ((await reader.read()).done) return 'whole';
  };
  const ended = rest().catch(() => 'cut' as const);
  const stillRuns = () => Promise.race([ended, sleep(200).then(() => 'runs' as const)]);
  return { ended, stillRuns, cancel: () => reader.cancel() };
}
const portOf = (address: ReturnType<Slow['app']['server']['address']>): number => (typeof address === 'object' ? (address?.port ?? 0) : 0);
const fileOf = (weblinkId: string): string => `${downloadWeblink.path}?${new URLSearchParams({ weblinkId, path: '/film.mkv' }).toString()}`;
const archiveOf = (weblinkId: string): string => `${archiveWeblink.path}?${new URLSearchParams({ weblinkId }).toString()}`;

for (const [what, addressOf] of [
  ['download', fileOf],
  ['archive', archiveOf],
] as const) {
  test(`removing a share ends a running ${what}`, { timeout: 60_000 }, async (t) => {
    const share = await slowShare(t);
    const { ended } = await reading(share, addressOf(share.weblinkId));
    await share.user.ask(removeWeblink, { webLinkId: share.weblinkId });
    assert.equal(await ended, 'cut');
  });
}

test('a share that expires ends a running download without anybody withdrawing it', { timeout: 60_000 }, async (t) => {
  const start = Math.floor(Date.now() / 1000);
  let passed = 0;
  const share = await slowShare(t, { now: () => start + passed });
  await share.user.ask(updateWeblink, { weblinkUri: share.sharelinkurl, expirationSeconds: 86_400 });
  const { ended, stillRuns } = await reading(share, fileOf(share.weblinkId));
  passed = 86_399;
  assert.equal(await stillRuns(), 'runs');
  passed = 86_400;
  assert.equal(await ended, 'cut');
});

test('a download opened by a password continues beyond the hour of its pass', { timeout: 60_000 }, async (t) => {
  const start = Math.floor(Date.now() / 1000);
  let passed = 0;
  const share = await slowShare(t, { password: 'former', now: () => start + passed });
  const visitor = share.visitor();
  await visitor.ask(openWeblink, { weblinkId: share.weblinkId, password: 'former' });
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { stillRuns, cancel } = await reading(share, fileOf(share.weblinkId), { cookie });
  passed = 7200;
  await share.services.visits.recheck();
  assert.equal(await stillRuns(), 'runs');
  await cancel();
});

test('a share that gets a password ends the downloads of visitors who have not entered it', { timeout: 60_000 }, async (t) => {
  const share = await slowShare(t);
  const { ended } = await reading(share, fileOf(share.weblinkId));
  await share.user.ask(updateWeblink, { weblinkUri: share.sharelinkurl, passwordChanged: true, password: 'new' });
  assert.equal(await ended, 'cut');
});

test('a share that becomes one for viewing ends the downloads that are under way', { timeout: 60_000 }, async (t) => {
  const share = await slowShare(t);
  const { ended } = await reading(share, fileOf(share.weblinkId));
  const zipped = await reading(share, archiveOf(share.weblinkId));
  await share.user.ask(updateWeblink, { weblinkUri: share.sharelinkurl, viewOnly: true });
  assert.deepEqual([await ended, await zipped.ended], ['cut', 'cut']);
});

test('a changed password ends the downloads that the former one opened', { timeout: 60_000 }, async (t) => {
  const share = await slowShare(t, { password: 'former' });
  const visitor = share.visitor();
  await visitor.ask(openWeblink, { weblinkId: share.weblinkId, password: 'former' });
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { ended } = await reading(share, fileOf(share.weblinkId), { cookie });
  await share.user.ask(updateWeblink, { weblinkUri: share.sharelinkurl, passwordChanged: true, password: 'new' });
  assert.equal(await ended, 'cut');
});

test('a listing interrupted by a new password is answered with the request for it, not as if the share were gone', async (t) => {
  const { source, user, visitor } = await linkApp(t);
  source.put('/films/film.mkv', 'film');
  const { userLinkId } = await addSftp(user, 'NAS');
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/films') });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  const reached = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  source.setGate(async (operation) => {
    if (operation !== 'list') return;
    reached.resolve();
    await changed.promise;
  });
  const refusal = visitor().refusal(listWeblink, { weblinkId, offset: 0, limit: 25, sort: 'name', order: 'asc' });
  await reached.promise;
  await user.ask(updateWeblink, { weblinkUri: sharelinkurl, passwordChanged: true, password: 'new' });
  changed.resolve();
  assert.equal((await refusal).messageCode, 'WEBLINK_PASSWORD_NEEDED');
});

test('a change that takes nothing from visitors leaves their downloads running, and other shares alone', { timeout: 60_000 }, async (t) => {
  const share = await slowShare(t);
  const { stillRuns, cancel } = await reading(share, fileOf(share.weblinkId));
  await share.user.ask(updateWeblink, { weblinkUri: share.sharelinkurl, expirationSeconds: 86_400 });
  const other = await share.user.ask(createWeblink, { linkUri: linkUriOf((await addSftp(share.user, 'Other')).userLinkId, '/films') });
  await share.user.ask(removeWeblink, { webLinkId: other.sharelinkurl.slice(other.sharelinkurl.lastIndexOf('/') + 1) });
  assert.equal(await stillRuns(), 'runs');
  await cancel();
});

test('a share removed at one instance ends its downloads at another', { timeout: 60_000 }, async (t) => {
  const settings = {
    SHEAF_DATABASE_URL: await testDatabase({ on: 'postgres' }),
    SHEAF_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const share = await slowShare(t, { settings });
  const second = await testApp(t, { settings, findDefinition: async () => share.source.definition });
  const { ended } = await reading(second, fileOf(share.weblinkId));
  await share.user.ask(removeWeblink, { webLinkId: share.weblinkId });
  assert.equal(await ended, 'cut');
});
