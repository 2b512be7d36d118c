import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testContent } from '#/testing/content.ts';
import { createFreeNames } from './free-names.ts';

const folder = { id: 1, listedAt: 0, fingerprint: null, version: 'v', folderCount: 0, fileCount: 3, isUnopened: 0 };

function setUp(more: Partial<typeof folder> = {}) {
  const state = { now: 0, names: ['there'], asked: 0 };
  const names = createFreeNames({
    store: {
      findFolder: async (_linkId, path) => (path === '/known' ? { ...folder, ...more } : undefined),
      hasLike: async (_folderId, name) => state.names.includes(name),
    },
    now: () => state.now,
  });
  return { state, ...names, isFree: (path: string) => names.isFree('link', path, () => void state.asked++) };
}

test('a name is free for ten seconds after a listing without it, and not where nothing is known', async () => {
  const { state, isFree } = setUp();
  assert.deepEqual(await Promise.all(['/known/new', '/known/there', '/unknown/new', '/'].map(isFree)), [true, false, false, false]);
  state.now = 10_000;
  assert.equal(await isFree('/known/new'), true);
  state.now = 10_001;
  assert.equal(await isFree('/known/new'), false);
});

test('a folder in which programs work is listed again in time, unless it is idle or large', async () => {
  const { state, isFree } = setUp();
  for (const [now, asked] of [
    [4000, 0],
    [4001, 1],
    [30_000, 2],
    [60_000, 2],
  ] as const) {
    state.now = now;
    await isFree('/known/new');
    assert.equal(state.asked, asked, String(now));
  }
  const large = setUp({ fileCount: 5001 });
  large.state.now = 5000;
  assert.equal(await large.isFree('/known/new'), true);
  assert.equal(large.state.asked, 0);
});

test('what Sheaf has stored is not free for a minute, even if the storage lists it later', async () => {
  const { state, isFree, noteStored, noteGone } = setUp({ listedAt: 50_000 });
  noteStored('link', '/known/new');
  state.now = 59_999;
  assert.equal(await isFree('/known/new'), false);
  state.now = 60_000;
  assert.equal(await isFree('/known/new'), true);
  noteStored('link', '/known/new');
  noteGone('link', '/known/new');
  assert.equal(await isFree('/known/new'), true);
});

test('names that differ in case only count as one, and changes by Sheaf show at once', async (t) => {
  const { listings, userLinkId, names, source, userId } = await testContent(t);
  source.put('/docs/Old.txt', 'x');
  await names('/docs');
  const connector = { list: () => assert.fail('a new listing needs no other') };
  const isFree = (path: string) => listings.isFree({ userId, linkId: userLinkId, connector, path });
  assert.deepEqual(await Promise.all(['/docs/old.TXT', '/docs/new.txt'].map(isFree)), [false, true]);
  await listings.note(userLinkId, '/docs', { put: { name: 'new.txt', kind: 'file' } });
  assert.equal(await isFree('/docs/new.txt'), false);
  await listings.note(userLinkId, '/docs', { gone: 'new.txt' });
  assert.equal(await isFree('/docs/new.txt'), true);
  assert.equal(await isFree('/elsewhere/new.txt'), false);
});
