import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, opening } from '../testing/opening.ts';

test('a cursor that is too old, or missing, returns another and reports that more has changed', async (t) => {
  const { microsoft, connector, put } = await opening(t, 'OneDrive');
  const start = (await connector.changes?.(undefined, ask()))?.cursor;
  await put('/new', 'x');
  microsoft.world.manners.forgetsChanges = true;
  const lost = await connector.changes?.(start, ask());
  assert.deepEqual([lost?.items, lost?.incomplete], [[], true]);
  await put('/newer', 'y');
  const after = await connector.changes?.(lost?.cursor, ask());
  assert.deepEqual(
    after?.items.map(({ path }) => path),
    ['/newer'],
  );
  assert.equal((await connector.changes?.('no cursor', ask()))?.incomplete, true);
});

test('changes on several pages are reported in one result, each item once in its current state', async (t) => {
  const { microsoft, connector, put } = await opening(t, 'OneDrive');
  const start = (await connector.changes?.(undefined, ask()))?.cursor;
  microsoft.world.manners.page = 2;
  for (const [name, text] of [
    ['a', '1'],
    ['b', '22'],
    ['c', '333'],
    ['a', '4444'],
  ] as const)
    await put(`/Documents/${name}`, text);
  const { items = [] } = (await connector.changes?.(start, ask())) ?? {};
  const sizes = items.map(({ path, entry }) => `${path} ${entry?.size}`).filter((line) => !line.startsWith('/Documents '));
  assert.deepEqual(sizes.sort(), ['/Documents/a 4', '/Documents/b 2', '/Documents/c 3']);
});

for (const provider of ['OneDrive', 'OneDriveForBusiness'] as const)
  test(`${provider}: renames by others are reported as gone and new, deletions as gone`, async (t) => {
    const { connector, drive, names } = await opening(t, provider);
    await names('/Pictures');
    const start = (await connector.changes?.(undefined, ask()))?.cursor;
    const pictures = drive.walk(drive.root, ['Pictures']);
    drive.relocate(drive.walk(pictures, ['hills.jpg']), pictures, 'mountains.jpg', 'fail');
    drive.remove(drive.walk(pictures, ['harbour.jpg']));
    const { items = [], incomplete } = (await connector.changes?.(start, ask())) ?? {};
    const places = new Map(items.map(({ path, entry }) => [path, entry?.name]));
    assert.equal(places.get('/Pictures/mountains.jpg'), 'mountains.jpg');
    for (const path of ['/Pictures/hills.jpg', '/Pictures/harbour.jpg'])
      assert.ok(places.has(path) && places.get(path) === undefined, path);
    assert.equal(incomplete, false);
  });

test('a deleted item of an organisation that was never seen makes the result incomplete', async (t) => {
  const { connector, drive } = await opening(t, 'OneDriveForBusiness');
  const start = (await connector.changes?.(undefined, ask()))?.cursor;
  drive.remove(drive.walk(drive.root, ['Pictures', 'hills.jpg']));
  const { items, incomplete } = (await connector.changes?.(start, ask())) ?? {};
  assert.deepEqual([items, incomplete], [[], true]);
});

test('a name that another item has taken is reported as that item', async (t) => {
  const { connector, put } = await opening(t, 'OneDriveForBusiness');
  await put('/file', 'old');
  const start = (await connector.changes?.(undefined, ask()))?.cursor;
  await connector.remove?.('/file', ask());
  await put('/file', 'newer');
  const { items = [] } = (await connector.changes?.(start, ask())) ?? {};
  assert.deepEqual(
    items.map(({ path, entry }) => [path, entry?.size]),
    [['/file', 5]],
  );
});

test('items that the link itself moves or deletes are reported as gone from their old path', async (t) => {
  const { connector } = await opening(t, 'OneDriveForBusiness');
  const start = (await connector.changes?.(undefined, ask()))?.cursor;
  await connector.move?.('/Pictures/hills.jpg', '/Documents/hills.jpg', ask());
  await connector.rename?.('/Pictures/harbour.jpg', 'port.jpg', ask());
  await connector.remove?.('/Pictures/port.jpg', ask());
  const { items = [], incomplete } = (await connector.changes?.(start, ask())) ?? {};
  const told = items.map(({ path, entry }) => `${path} ${entry ? 'is' : 'gone'}`);
  assert.deepEqual(told.sort(), [
    '/Documents/hills.jpg is',
    '/Pictures/harbour.jpg gone',
    '/Pictures/hills.jpg gone',
    '/Pictures/port.jpg gone',
  ]);
  assert.equal(incomplete, false);
});
