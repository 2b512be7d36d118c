import assert from 'node:assert/strict';
import { type Setting, assertHolds } from './setting.ts';

/** Promises of `createFolder`, `rename`, `move`, `copy` and `remove`. */
export function folderPromises(setting: Setting): void {
  const { promise, folder, put, get, createFolder, remove } = setting;

  promise('createFolder creates an empty folder and returns it', ['createFolder'], async () => {
    const at = await folder();
    const entry = await createFolder(`${at}/new`);
    assert.deepEqual({ name: entry.name, kind: entry.kind }, { name: 'new', kind: 'folder' });
    await assertHolds(setting, at, ['new']);
    await assertHolds(setting, `${at}/new`, []);
  });

  promise('createFolder over a folder or a file is alreadyExists', ['createFolder', 'write'], async () => {
    const at = await folder();
    await createFolder(`${at}/folder`);
    await put(`${at}/folder/inside`, 'x');
    await put(`${at}/file`, 'y');
    await assert.rejects(createFolder(`${at}/folder`), { kind: 'alreadyExists' });
    await assert.rejects(createFolder(`${at}/file`), { kind: 'alreadyExists' });
    await assertHolds(setting, `${at}/folder`, ['inside']);
    assert.equal((await get(`${at}/file`)).toString(), 'y');
  });

  promise('createFolder without the parent is notFound, unless folders are implicit', ['createFolder'], async () => {
    const at = await folder();
    if (setting.traits.freeParents) {
      await createFolder(`${at}/missing/new`);
      await assertHolds(setting, `${at}/missing`, ['new']);
    } else {
      await assert.rejects(createFolder(`${at}/missing/new`), { kind: 'notFound' });
      await assertHolds(setting, at, []);
    }
  });

  promise('rename gives a file another name and keeps its bytes', ['write', 'rename'], async () => {
    const at = await folder();
    await put(`${at}/old`, 'bytes');
    assert.equal((await setting.rename(`${at}/old`, 'new')).name, 'new');
    assert.equal((await get(`${at}/new`)).toString(), 'bytes');
    await assertHolds(setting, at, ['new']);
  });

  for (const [operation, go] of relocations(setting)) {
    const takesFolders = operation !== 'copy' || setting.traits.copiesOnlyFiles !== true;
    if (!takesFolders)
      promise('copy of a folder is unsupported and creates nothing', ['createFolder', 'copy'], async () => {
        const at = await folder();
        await createFolder(`${at}/from`);
        await assert.rejects(go(at, 'from', 'to'), { kind: 'unsupported' });
        await assertHolds(setting, at, ['from']);
      });
    if (takesFolders)
      promise(`${operation} relocates a folder with all its content`, ['createFolder', 'write', operation], async () => {
        const at = await folder();
        await createFolder(`${at}/from`);
        await createFolder(`${at}/from/deeper`);
        await put(`${at}/from/deeper/file`, 'kept');
        const entry = await go(at, 'from', 'to');
        assert.deepEqual({ name: entry.name, kind: entry.kind }, { name: 'to', kind: 'folder' });
        assert.equal((await get(`${at}/to/deeper/file`)).toString(), 'kept');
        await assertHolds(setting, at, operation === 'copy' ? ['from', 'to'] : ['to']);
      });

    promise(
      `${operation} never replaces: a taken name is alreadyExists and both items stay`,
      ['createFolder', 'write', operation],
      async () => {
        const at = await folder();
        await put(`${at}/one`, '1');
        await put(`${at}/two`, '2');
        await createFolder(`${at}/folder`);
        await createFolder(`${at}/other`);
        for (const [from, to] of [
          ['one', 'two'],
          ['one', 'folder'],
          ...(takesFolders
            ? ([
                ['folder', 'one'],
                ['folder', 'other'],
              ] as const)
            : []),
        ] as const)
          await assert.rejects(go(at, from, to), { kind: 'alreadyExists' }, `${from} to ${to}`);
        await assertHolds(setting, at, ['one', 'two', 'folder', 'other']);
        assert.equal((await get(`${at}/one`)).toString(), '1');
        assert.equal((await get(`${at}/two`)).toString(), '2');
      },
    );

    promise(`${operation} of a missing item is notFound`, [operation], async () => {
      const at = await folder();
      await assert.rejects(go(at, 'missing', 'elsewhere'), { kind: 'notFound' });
      await assertHolds(setting, at, []);
    });
  }

  promise('move relocates a file to another folder', ['createFolder', 'write', 'move'], async () => {
    const at = await folder();
    await createFolder(`${at}/other`);
    await put(`${at}/file`, 'bytes');
    assert.equal((await setting.move(`${at}/file`, `${at}/other/renamed`)).name, 'renamed');
    assert.equal((await get(`${at}/other/renamed`)).toString(), 'bytes');
    await assertHolds(setting, at, ['other']);
  });

  promise('copy keeps the original and creates a second file with the same bytes', ['write', 'copy'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'bytes');
    assert.equal((await setting.copy(`${at}/file`, `${at}/second`)).name, 'second');
    await put(`${at}/file`, 'changed');
    assert.equal((await get(`${at}/second`)).toString(), 'bytes');
    await assertHolds(setting, at, ['file', 'second']);
  });

  promise('remove deletes only that file', ['write', 'remove'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'x');
    await put(`${at}/file2`, 'y');
    await remove(`${at}/file`);
    await assertHolds(setting, at, ['file2']);
  });

  promise('remove deletes only that folder, with all its content', ['createFolder', 'write', 'remove'], async () => {
    const at = await folder();
    for (const path of ['gone', 'gone/a', 'gone/a/b', 'gone/empty', 'gone2']) await createFolder(`${at}/${path}`);
    for (const path of ['gone/1', 'gone/a/2', 'gone/a/b/3', 'gone/a/b/4', 'gone2/5']) await put(`${at}/${path}`, path);
    await remove(`${at}/gone`);
    await assertHolds(setting, at, ['gone2']);
    await assertHolds(setting, `${at}/gone2`, ['5']);
  });

  promise('remove of a missing item is notFound', ['remove'], async () => {
    const at = await folder();
    await assert.rejects(remove(`${at}/missing`), { kind: 'notFound' });
  });
}

type Relocate = (at: string, from: string, to: string) => ReturnType<Setting['rename']>;

/** The three operations that give an item a second path, called uniformly. */
const relocations = (setting: Setting): readonly (readonly ['rename' | 'move' | 'copy', Relocate])[] => [
  ['rename', (at, from, to) => setting.rename(`${at}/${from}`, to)],
  ['move', (at, from, to) => setting.move(`${at}/${from}`, `${at}/${to}`)],
  ['copy', (at, from, to) => setting.copy(`${at}/${from}`, `${at}/${to}`)],
];
