import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, linkUriOf, listSpaceMembers, remoteUpdate, removeSpaceMember, search, deleteLink } from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { type SpaceApp, join, spaceApp } from '#/testing/spaces.ts';
import { createSearch } from './service.ts';
import { createSearchStore } from './store.ts';

const page = { offset: 0, limit: 50 } as const;
/** Lists a folder, and waits until it is stored. */
async function look({ services }: SpaceApp, user: User, linkUri: string): Promise<void> {
  await user.ask(remoteUpdate, { linkUri, fresh: true, refresh: true, sort: 'name', order: 'asc', limit: 50 });
  await services.listings.idle();
}
const found = (user: User, query: string): Promise<Found> => user.ask(search, { query, ...page });
const paths = ({ items, links }: Found): string[] =>
  items.map(({ userLinkId, folder, name }) => `${links.find((link) => link.userLinkId === userLinkId)?.name}:${folder}:${name}`).sort();

test('a member finds what the owner knows of the Space and nothing else, and nothing at all after the removal', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  for (const path of ['/', '/projects', '/projects/team', '/projects/team/sub', '/projects/team2'])
    await look(app, user, linkUriOf(storageId, path));
  assert.deepEqual(paths(await found(user, '.txt')), [
    'NAS:/projects/team/sub:deep.txt',
    'NAS:/projects/team2:other.txt',
    'NAS:/projects/team:plan.txt',
    'NAS:/projects:secret.txt',
    'Team:/:plan.txt',
    'Team:/sub:deep.txt',
  ]);

  const noor = await app.signUp();
  assert.deepEqual(await found(noor, 'txt'), { items: [], total: 0, hasMore: false, links: [] });
  const { linkUri } = await join(app, space, noor, 'viewer');
  const before = await found(noor, 'txt');
  assert.deepEqual(paths(before), ['Team:/:plan.txt', 'Team:/sub:deep.txt']);
  assert.equal(before.items.find(({ name }) => name === 'deep.txt')?.linkUri, `${linkUri}/sub/deep.txt`);
  // What both the owner and the member have listed is found once.
  await look(app, noor, `${linkUri}/sub`);
  assert.deepEqual(paths(await found(noor, 'txt')), ['Team:/:plan.txt', 'Team:/sub:deep.txt']);
  assert.deepEqual(paths(await found(noor, 'secret')), []);

  const { spaceOid } = space;
  const member = (await user.ask(listSpaceMembers, { spaceOid })).members.find(({ email }) => email === noor.email);
  await user.ask(removeSpaceMember, { spaceOid, memberId: member?.memberId ?? '' });
  assert.deepEqual(await found(noor, 'txt'), { items: [], total: 0, hasMore: false, links: [] });
});

test('a search tells how much of each link is known, pages its answers, and ends with the link', async (t) => {
  const app = await spaceApp(t);
  const { user, storageId } = app;
  await look(app, user, linkUriOf(storageId, '/projects'));
  const { links, total } = await user.ask(search, { query: 'te', userLinkId: storageId, ...page });
  assert.equal(total, 2);
  assert.deepEqual(
    links.map(({ name, found, foldersKnown, foldersTotal }) => ({ name, found, foldersKnown, foldersTotal })),
    [{ name: 'NAS', found: 2, foldersKnown: 1, foldersTotal: 3 }],
  );
  await look(app, user, linkUriOf(storageId, '/projects/team'));
  const { links: after } = await user.ask(search, { query: 'te', userLinkId: storageId, ...page });
  assert.equal(after[0]?.foldersKnown, 2, 'a folder counts as soon as it has been opened');
  const second = await user.ask(search, { query: 'te link:nas', offset: 1, limit: 1 });
  assert.deepEqual([second.items.map(({ name }) => name), second.hasMore], [['team2'], false]);
  assert.deepEqual((await user.ask(search, { query: '', ...page })).items, []);
  await user.refusal(search, { query: 'x'.repeat(301), ...page });
  await user.ask(deleteLink, { userLinkId: storageId });
  assert.deepEqual(paths(await found(user, 'team')), []);
});

test('an account searches one after the other, and a search whose user has left is not made', async (t) => {
  const app = await spaceApp(t);
  await look(app, app.user, linkUriOf(app.storageId, '/'));
  let running = 0;
  let most = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const searching = createSearch({
    store: { ...createSearchStore(app.services.database), candidates: async () => ({ found: [], cost: 0, isPartial: false }) },
    async reachable(userId) {
      asked.push(userId);
      most = Math.max(most, ++running);
      if (userId === 'one') await held;
      running--;
      return [];
    },
    now: Date.now,
  });
  const wish = { query: 'a', ...page };
  const signal = AbortSignal.timeout(60_000);
  const first = searching.find('one', wish, signal);
  const left = new AbortController();
  const second = searching.find('one', wish, left.signal);
  const third = searching.find('one', wish, signal);
  await searching.find('two', wish, signal);
  left.abort();
  await assert.rejects(second, { name: 'AbortError' });
  assert.deepEqual(asked, ['one', 'two']);
  release();
  await Promise.all([first, third]);
  assert.deepEqual([asked, most], [['one', 'two', 'one'], 2]);
});
