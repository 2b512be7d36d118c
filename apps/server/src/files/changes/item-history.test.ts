import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenItem } from '#/files/items/open-item.ts';
import { createItemHistory } from './item-history.ts';

const row = { id: '1', accountId: 'noor', kind: 'move', state: 'done', scope: '/', createdAt: 1, actorName: 'Noor' } as const;
const told = async (item: Partial<OpenItem>, path: string, toPath: string, scope = '/'): Promise<string | undefined> => {
  const history = createItemHistory({ below: async () => [{ ...row, path, toPath, scope }] });
  return (await history({ userId: 'mara', userLinkId: 'L', path: '/', ...item } as OpenItem, 10))[0]?.sentence;
};

test('moves tell places only as far as the reader sees them', async () => {
  const space = { stored: { userLinkId: 'S', folder: '/team' } };
  assert.equal(await told({}, '/a.txt', '/old/b/a.txt'), 'moved a.txt to old / b');
  assert.equal(await told({}, '/old/a.txt', '/a.txt'), 'moved a.txt to the top folder');
  assert.equal(await told(space, '/team/a.txt', '/team/old/a.txt'), 'moved a.txt to old');
  assert.equal(await told(space, '/team/a.txt', '/private/a.txt'), 'moved a.txt away');
  assert.equal(await told(space, '/private/plans.txt', '/team/a.txt'), 'moved a.txt here');
  // What somebody did within a Space, seen from its storage.
  assert.equal(await told({}, '/a.txt', '/old/a.txt', '/team'), 'moved a.txt to team / old');
  // What its owner calls the folder of the Space, or what it was before, is not the member's to know.
  assert.equal(await told(space, '/layoffs', '/team'), undefined);
  assert.equal(await told(space, '/team', '/team-old'), undefined);
  assert.equal(await told(space, '/private/team', '/team'), undefined);
  assert.equal(await told(space, '/teams/a.txt', '/teams/b.txt'), undefined);
});
