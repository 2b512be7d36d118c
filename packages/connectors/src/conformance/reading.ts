import assert from 'node:assert/strict';
import { type Setting, ask } from './setting.ts';

/** Promises of `list`, `stat` and `read`. */
export function readingPromises(setting: Setting): void {
  const { promise, folder, put, get, listed } = setting;
  const listAll = (path: string) => listed(path);

  promise('an empty folder has no entries', [], async () => {
    assert.deepEqual([...(await listed(await folder())).keys()], []);
  });

  promise('list distinguishes files from folders, with sizes and times', ['write'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'twelve bytes');
    const folders = setting.can('createFolder') ? ['folder'] : [];
    for (const name of folders) await setting.createFolder(`${at}/${name}`);
    const entries = await listed(at);
    assert.deepEqual([...entries.keys()].sort(), ['file', ...folders]);
    const file = entries.get('file');
    assert.equal(file?.kind, 'file');
    assert.equal(file?.size, 12);
    if (file?.modified !== undefined) assert.ok(Math.abs(file.modified - Date.now() / 1000) < 300, `modified ${file.modified} is not now`);
    for (const name of folders) assert.equal(entries.get(name)?.kind, 'folder');
  });

  promise('list of a missing folder is notFound', [], async () => {
    await assert.rejects(listAll(`${await folder()}/missing`), { kind: 'notFound' });
  });

  promise('list of a file is notAFolder', ['write'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'x');
    await assert.rejects(listAll(`${at}/file`), { kind: 'notAFolder' });
  });

  const { many = 3000, fill, parallel = 8 } = setting.traits;
  promise(`list returns each of ${many} entries once, and a listing cancelled early does no harm`, ['write'], async () => {
    const at = await folder();
    const names = Array.from({ length: many }, (_, index) => `entry ${index}`);
    const written = fill ? names.slice(0, 300) : names;
    const queue = written.values();
    const writer = async () => {
      for (const name of queue) await put(`${at}/${name}`, 'x');
    };
    await Promise.all(Array.from({ length: parallel }, writer));
    await fill?.(at, names.slice(written.length));
    const entries = await listed(at);
    assert.equal(entries.size, many);
    assert.deepEqual([...entries.keys()].sort(), names.sort());
    for (let round = 0; round < 10; round++)
      for await (const batch of setting.connector().list(at, ask())) {
        assert.ok(batch.length > 0);
        break;
      }
    assert.equal((await listed(at)).size, many);
  });

  promise('stat describes a file, a folder, and the root as a folder without a name', ['write'], async () => {
    const at = await folder();
    await put(`${at}/file.txt`, 'hello');
    const file = await setting.connector().stat(`${at}/file.txt`, ask());
    assert.deepEqual({ name: file.name, kind: file.kind, size: file.size }, { name: 'file.txt', kind: 'file', size: 5 });
    const itself = await setting.connector().stat(at, ask());
    assert.deepEqual({ name: itself.name, kind: itself.kind }, { name: at.slice(at.lastIndexOf('/') + 1), kind: 'folder' });
    const root = await setting.connector().stat('/', ask());
    assert.deepEqual({ name: root.name, kind: root.kind }, { name: '', kind: 'folder' });
  });

  promise('stat of a missing path is notFound, in a folder and in none', [], async () => {
    const at = await folder();
    await assert.rejects(setting.connector().stat(`${at}/missing`, ask()), { kind: 'notFound' });
    await assert.rejects(setting.connector().stat(`${at}/missing/deeper`, ask()), { kind: 'notFound' });
  });

  promise('an etag, where there is one, changes with the content', ['write'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'one');
    const before = await setting.connector().stat(`${at}/file`, ask());
    await put(`${at}/file`, 'two');
    const after = await setting.connector().stat(`${at}/file`, ask());
    assert.ok(before.etag === undefined || before.etag !== after.etag, `${before.etag} stayed`);
  });

  promise('read returns the bytes and announces how many', ['write'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'some bytes');
    const body = await setting.connector().read(`${at}/file`, ask());
    const { size } = body;
    body.cancel();
    body.cancel();
    assert.ok(size === undefined || size === 10, `size ${size}`);
    assert.equal((await get(`${at}/file`)).toString(), 'some bytes');
  });

  promise('read returns an empty file, where the source stores one', ['write'], async () => {
    const at = await folder();
    if (setting.traits.noEmptyFiles) return assert.rejects(put(`${at}/empty`, ''), { kind: 'unsupported' });
    await put(`${at}/empty`, '');
    assert.equal((await setting.connector().stat(`${at}/empty`, ask())).size, 0);
    assert.equal((await get(`${at}/empty`)).length, 0);
  });

  promise('read returns ranges: from a start, between, and clipped at the end', ['write'], async () => {
    const at = await folder();
    await put(`${at}/digits`, '0123456789');
    assert.equal((await get(`${at}/digits`, { start: 4 })).toString(), '456789');
    assert.equal((await get(`${at}/digits`, { start: 0, end: 1 })).toString(), '0');
    assert.equal((await get(`${at}/digits`, { start: 2, end: 5 })).toString(), '234');
    assert.equal((await get(`${at}/digits`, { start: 9, end: 10 })).toString(), '9');
    assert.equal((await get(`${at}/digits`, { start: 7, end: 1000 })).toString(), '789');
    const body = await setting.connector().read(`${at}/digits`, { ...ask(), range: { start: 2, end: 5 } });
    body.cancel();
    assert.ok(body.size === undefined || body.size === 3, `a part of 3 bytes says it has ${body.size}`);
  });

  promise('read of a range that begins at or past the end is badRange', ['write'], async () => {
    const at = await folder();
    await put(`${at}/digits`, '0123456789');
    await assert.rejects(get(`${at}/digits`, { start: 10 }), { kind: 'badRange' });
    await assert.rejects(get(`${at}/digits`, { start: 11, end: 20 }), { kind: 'badRange' });
  });

  promise('read of a missing file is notFound, of a folder isAFolder', [], async () => {
    const at = await folder();
    await assert.rejects(get(`${at}/missing`), { kind: 'notFound' });
    await assert.rejects(get(at), { kind: 'isAFolder' });
  });
}
