import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Item, createItemTree, itemNameOf, nameOfItem } from './item-tree.ts';

const ask = { signal: AbortSignal.timeout(60_000) };
const item = (id: string, name: string, kind: 'file' | 'folder' = 'file'): Item<undefined> => ({
  id,
  name,
  kind,
  entry: {},
  facts: undefined,
});

/** A provider in memory: children keyed by their parent's id, returned in batches of two. */
function provider(children: Record<string, Item<undefined>[]>, duplicates?: 'adjacent' | 'anywhere', canAsk = false) {
  let asked = 0;
  const tree = createItemTree<undefined>({
    root: item('root', '', 'folder'),
    async *children({ id }) {
      asked += 1;
      const all = children[id] ?? [];
      for (let at = 0; at < all.length; at += 2) yield all.slice(at, at + 2);
    },
    ...(canAsk && { named: async ({ id }, name) => (children[id] ?? []).filter((child) => child.name === name) }),
    ...(duplicates && { duplicates }),
  });
  const names = async (path: string): Promise<string[]> => (await Array.fromAsync(tree.list(path, ask))).flat().map(({ name }) => name);
  return { tree, names, asked: () => asked };
}

describe('an id tree', () => {
  test('maps paths to ids, and asks nothing twice', async () => {
    const { tree, asked } = provider({ root: [item('a', 'folder', 'folder')], a: [item('b', 'file')] });
    assert.equal((await tree.find('/folder/file', ask)).id, 'b');
    assert.equal((await tree.find('/folder/file', ask)).id, 'b');
    assert.equal(asked(), 2);
    await assert.rejects(tree.find('/folder/none', ask), { kind: 'notFound' });
    await assert.rejects(tree.find('/folder/file/deeper', ask), { kind: 'notFound' });
    await assert.rejects(tree.folder('/folder/file', ask), { kind: 'notAFolder' });
    await assert.rejects(tree.file('/folder', ask), { kind: 'isAFolder' });
  });

  for (const duplicates of [undefined, 'adjacent', 'anywhere'] as const)
    test(`a folder whose pages never end is abandoned, with duplicates ${duplicates ?? 'nowhere'}`, async () => {
      const root = item('root', '', 'folder');
      let pages = 0;
      async function* children() {
        for (;;) yield [item(`${++pages}`, `file ${pages}`)];
      }
      const tree = createItemTree<undefined>({ root, children, ...(duplicates && { duplicates }) }, Date.now, 1000);
      await assert.rejects(Array.fromAsync(tree.list('/', ask)), { kind: 'tooLarge' });
      await assert.rejects(tree.find('/none', ask), { kind: 'tooLarge' });
      assert.equal(pages, 2002);
    });

  test('a forgotten path is looked up again, with everything below it', async () => {
    const children = { root: [item('a', 'folder', 'folder')], a: [item('b', 'file')] };
    const { tree } = provider(children);
    await tree.find('/folder/file', ask);
    children.root = [item('c', 'folder', 'folder')];
    assert.equal((await tree.find('/folder/file', ask)).id, 'b');
    tree.forget('/folder');
    await assert.rejects(tree.find('/folder/file', ask), { kind: 'notFound' });
  });

  test('a path is not trusted for longer than a minute', async () => {
    let now = 0;
    const children = [item('old', 'file')];
    const tree = createItemTree<undefined>(
      {
        root: item('root', '', 'folder'),
        async *children() {
          yield children;
        },
      },
      () => now,
    );
    assert.equal((await tree.find('/file', ask)).id, 'old');
    children[0] = item('new', 'file');
    assert.equal((await tree.find('/file', ask)).id, 'old');
    now = 61_000;
    assert.equal((await tree.find('/file', ask)).id, 'new');
  });

  for (const duplicates of ['adjacent', 'anywhere'] as const)
    test(`twins are distinguished in every batch of a listing, ${duplicates}`, async () => {
      const twins = ['1', '2', '3', '4', '5'].map((id) => item(id, 'same.txt'));
      const { tree, names } = provider({ root: [item('0', 'before'), ...twins, item('6', 'later')] }, duplicates);
      const shown = await names('/');
      assert.equal(new Set(shown).size, 7);
      assert.ok(shown.includes('before') && shown.includes('later'));
      const marked = shown.filter((name) => /^same \(~[0-9a-f]{8}\)\.txt$/.test(name));
      assert.equal(marked.length, 5);
      tree.forget('/');
      for (const name of marked) tree.forget(`/${name}`);
      const ids = await Promise.all(marked.map(async (name) => (await tree.find(`/${name}`, ask)).id));
      assert.deepEqual(ids.sort(), ['1', '2', '3', '4', '5']);
    });

  for (const duplicates of [undefined, 'adjacent', 'anywhere'] as const)
    test(`an item that appears on two pages is listed once, and is not its own twin, ${duplicates}`, async () => {
      const moving = item('b', 'b');
      const children = { root: [item('a', 'a'), moving, moving, item('c', 'c'), item('a', 'a')] };
      const { tree, names } = provider(children, duplicates);
      assert.deepEqual((await names('/')).sort(), ['a', 'b', 'c']);
      tree.forget('/');
      assert.equal((await tree.find('/b', ask)).id, 'b');
    });

  test('a name without its mark resolves to none of several items with that name, so that no wrong item is deleted', async () => {
    const { tree, names } = provider({ root: [item('1', 'x'), item('2', 'x')] }, 'anywhere', true);
    await assert.rejects(tree.find('/x', ask), { kind: 'notFound' });
    assert.equal(await tree.isTaken('/x', ask), true);
    assert.equal(await tree.isTaken('/y', ask), false);
    assert.equal((await names('/')).length, 2);
  });

  test('a mark still resolves to its item after the other item is gone, and a name that looks marked resolves to itself', async () => {
    const children = { root: [item('1', 'x.txt'), item('2', 'x.txt')] };
    const { tree, names } = provider(children, 'anywhere', true);
    const [first = '', second = ''] = await names('/');
    children.root = [item('2', 'x.txt'), item('3', 'other (~00000000).txt')];
    for (const name of [first, second]) tree.forget(`/${name}`);
    assert.equal((await tree.find(`/${second}`, ask)).id, '2');
    await assert.rejects(tree.find(`/${first}`, ask), { kind: 'notFound' });
    assert.equal((await tree.find('/other (~00000000).txt', ask)).id, '3');
  });

  test('the path of an item found elsewhere is the one a listing shows, marked when its name is not unique', async () => {
    const items = [item('1', 'x.txt'), item('2', 'x.txt'), item('3', 'a/b')];
    const { tree, names, asked } = provider({ root: items }, 'anywhere', true);
    const shown = await names('/');
    for (const [index, one] of items.entries()) assert.equal(await tree.placeIn('/', one, ask), `/${shown[index]}`);
    const before = asked();
    assert.equal((await tree.find(`/${shown[2]}`, ask)).id, '3');
    assert.equal(asked(), before);
  });

  test('a name with a slash is one segment of a path', async () => {
    const { tree, names } = provider({ root: [item('1', 'a/b'), item('2', '..'), item('3', '.'), item('4', '')] }, undefined, true);
    for (const [index, name] of (await names('/')).entries()) {
      assert.doesNotMatch(name, /\/|^\.{0,2}$/);
      tree.forget(`/${name}`);
      assert.equal((await tree.find(`/${name}`, ask)).id, String(index + 1));
    }
  });

  test('every name can be restored from its shown form, and no two share one', () => {
    const names = fc.string({ unit: fc.constantFrom('/', '\u29f8', '\u241b', '.', '\0', '0', 'a', ' ', '\u00e9') });
    fc.assert(
      fc.property(names, (name) => {
        const shown = nameOfItem(name);
        assert.equal(itemNameOf(shown), name);
        assert.ok(shown !== '' && shown !== '.' && shown !== '..' && !/[/\0]/.test(shown), shown);
      }),
    );
    fc.assert(fc.property(names, names, (one, other) => one === other || nameOfItem(one) !== nameOfItem(other)));
  });
});
