import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes, Entry, Found } from '../core/connector.ts';
import { isKind } from '../core/error.ts';
import { type Operation, serviceCopiesOf } from '../core/operations.ts';
import { collect } from '../kit/body/body.ts';
import { joinPath, parentOf } from '../kit/names/path.ts';
import { patterned } from './large-files.ts';
import { type Setting, ask, assertHolds } from './setting.ts';

/** Promises of `thumbnail`, `search`, `usage` and `changes`, for sources that have them. */
export function featurePromises(setting: Setting): void {
  const { traits, folder, put, connector } = setting;
  const settle = traits.settle ?? (() => Promise.resolve());
  const offered = (operation: Operation, title: string, run: () => Promise<void>): void => {
    if (traits.offers?.includes(operation)) test(title, run);
  };

  async function found(place: string, query: string): Promise<Map<string, Found>> {
    const rows = new Map<string, Found>();
    const batches = connector().search?.(place, { ...ask(), query }) ?? assert.fail('no search');
    for await (const batch of batches) for (const row of batch) rows.set(row.path, row);
    return rows;
  }

  offered('search', 'a search finds files and folders by their names, below the folder only', async () => {
    const [at, elsewhere] = [await folder(), await folder()];
    const inside = setting.can('createFolder') ? `${at}/zebra pictures` : at;
    if (setting.can('createFolder')) await setting.createFolder(inside);
    await put(`${inside}/zebra one.txt`, 'striped');
    await put(`${at}/horse.txt`, 'plain');
    await put(`${elsewhere}/zebra two.txt`, 'striped');
    await settle();
    const below = await found(at, 'zebra');
    assert.deepEqual([...below.keys()].sort(), [...new Set([inside, `${inside}/zebra one.txt`])].filter((path) => path !== at).sort());
    assert.equal(below.get(`${inside}/zebra one.txt`)?.entry.size, 7);
    if (inside !== at) assert.equal(below.get(inside)?.entry.kind, 'folder');
    assert.ok((await found(traits.root ?? '/', 'zebra')).has(`${elsewhere}/zebra two.txt`));
    assert.equal((await found(at, 'unicorn')).size, 0);
  });

  offered('listTree', 'the listing of a whole tree shows what those of its folders show, each folder together', async () => {
    const at = await folder();
    for (const path of ['a-b/x.txt', 'a.txt', 'a/deep/two.txt', 'a/one.txt', 'a/äö ü/three.txt', 'z.txt']) {
      const parts = path.split('/').slice(0, -1);
      for (const [end] of parts.entries())
        await setting.createFolder(`${at}/${parts.slice(0, end + 1).join('/')}`).catch((error: unknown) => {
          if (!isKind(error, 'alreadyExists')) throw error;
        });
      await put(`${at}/${path}`, path);
    }
    await setting.createFolder(`${at}/empty`);
    const apart = new Map<string, Entry>();
    const walk = async (within: string): Promise<void> => {
      for await (const batch of connector().list(within, ask())) {
        for (const entry of batch) {
          apart.set(joinPath(within, entry.name), entry);
          if (entry.kind === 'folder') await walk(joinPath(within, entry.name));
        }
      }
    };
    await walk(at);
    const tree = (await Array.fromAsync(connector().listTree?.(at, ask()) ?? assert.fail('no listing of trees'))).flat();
    assert.equal(tree.length, 11);
    assert.deepEqual(new Map(tree.map(({ path, entry }) => [path, entry])), new Map(tree.map(({ path }) => [path, apart.get(path)])));
    const open = [at];
    for (const { path, entry } of tree) {
      while (open.length > 0 && open.at(-1) !== parentOf(path)) open.pop();
      assert.ok(open.length > 0, `${path} comes after its folder was left`);
      if (entry.kind === 'folder') open.push(path);
    }
    await assert.rejects(Array.fromAsync(connector().listTree?.(`${at}/missing`, ask()) ?? []), { kind: 'notFound' });
  });

  offered('usage', 'usage tells how much is stored, and no more than may be', async () => {
    const { used, total } = (await connector().usage?.(ask())) ?? assert.fail('no usage');
    assert.ok(Number.isSafeInteger(used) && used >= 0, `used ${used}`);
    if (total !== undefined) assert.ok(total >= used, `${used} of ${total}`);
    await put(`${await folder()}/thousand`, 'x'.repeat(1000));
    const after = await connector().usage?.(ask());
    assert.ok((after?.used ?? 0) >= used + 1000, `${after?.used} after ${used}`);
  });

  offered('changes', 'changes since a cursor are told once, with their places', async () => {
    const at = await folder();
    await put(`${at}/stays`, 'same');
    await put(`${at}/goes`, 'soon gone');
    await setting.listed(at);
    await settle();
    const start = await changesSince(undefined);
    assert.deepEqual(start.items, []);
    await put(`${at}/new`, 'fresh');
    await setting.remove(`${at}/goes`);
    await settle();
    const after = await changesSince(start.cursor);
    assert.equal(after.incomplete, false);
    const places = new Map(after.items.map(({ path, entry }) => [path, entry]));
    assert.equal(places.get(`${at}/new`)?.size, 5);
    assert.ok(places.has(`${at}/goes`), 'the deletion is not told');
    assert.equal(places.get(`${at}/goes`), undefined);
    assert.ok(!places.has(`${at}/stays`), 'what stayed is told');
    assert.deepEqual((await changesSince(after.cursor)).items, []);
  });
  const changesSince = async (cursor: string | undefined): Promise<Changes> =>
    (await connector().changes?.(cursor, ask())) ?? assert.fail('no changes');

  offered('thumbnail', 'a thumbnail of a picture is a picture; of a missing file notFound', async () => {
    const at = await folder();
    const { bytes, extension } = traits.picture ?? assert.fail('no picture to try');
    await put(`${at}/picture${extension}`, bytes);
    const thumbnail = (await connector().thumbnail?.(`${at}/picture${extension}`, { ...ask(), size: 200 })) ?? assert.fail('no thumbnail');
    assert.match(thumbnail.entry.mimeType ?? '', /^image\//);
    assert.ok((await collect(thumbnail)).length > 0);
    await assert.rejects(async () => connector().thumbnail?.(`${at}/missing${extension}`, { ...ask(), size: 200 }), { kind: 'notFound' });
  });
}

/** Server-side copying of files between two links. */
export function serviceCopyPromises(setting: Setting): void {
  const { traits, promise, folder, put, get } = setting;
  const copies = () => {
    const found = serviceCopiesOf(setting.connector());
    assert.ok(found, 'the connector cannot copy between links');
    return found;
  };

  if (traits.copiesBetweenLinks !== true) {
    test('its service does not copy between links', () => assert.equal(serviceCopiesOf(setting.connector()), undefined));
    return;
  }

  promise('its service copies a file by its location, which keeps its original', ['write'], async () => {
    const [at, other] = [await folder(), await folder()];
    const bytes = patterned(300_001);
    const name = 'Bücher & Co #1.bin';
    await put(`${at}/${name}`, bytes);
    const { service, serviceFile, copyFrom } = copies();
    const file = await serviceFile(`${at}/${name}`, ask());
    assert.equal(file.service, service);
    assert.equal(file.entry.size, bytes.length);
    const entry = await copyFrom(file, `${other}/copy`, ask());
    assert.deepEqual([entry.name, entry.kind, entry.size], ['copy', 'file', bytes.length]);
    assert.deepEqual(entry.hashes, file.entry.hashes);
    assert.deepEqual(await get(`${other}/copy`), Buffer.from(bytes));
    assert.deepEqual(await get(`${at}/${name}`), Buffer.from(bytes));
  });

  promise('a copy by its service never replaces', ['write'], async () => {
    const at = await folder();
    await put(`${at}/new`, 'new');
    await put(`${at}/old`, 'old');
    const { serviceFile, copyFrom } = copies();
    await assert.rejects(copyFrom(await serviceFile(`${at}/new`, ask()), `${at}/old`, ask()), { kind: 'alreadyExists' });
    assert.equal((await get(`${at}/old`)).toString(), 'old');
  });

  promise('its service cannot copy a missing item, a folder, or a file of another service', ['write', 'createFolder'], async () => {
    const at = await folder();
    await setting.createFolder(`${at}/folder`);
    await put(`${at}/file`, 'x');
    const { serviceFile, copyFrom } = copies();
    await assert.rejects(serviceFile(`${at}/missing`, ask()), { kind: 'notFound' });
    await assert.rejects(serviceFile(`${at}/folder`, ask()), { kind: 'isAFolder' });
    const file = await serviceFile(`${at}/file`, ask());
    await assert.rejects(copyFrom({ ...file, service: 'another' }, `${at}/copy`, ask()), { kind: 'unsupported' });
    await assertHolds(setting, at, ['file', 'folder']);
  });

  promise('a file deleted after it was located is copied unchanged, or not at all', ['write', 'remove'], async () => {
    const at = await folder();
    await put(`${at}/file`, 'x');
    const { serviceFile, copyFrom } = copies();
    const file = await serviceFile(`${at}/file`, ask());
    await setting.remove(`${at}/file`);
    await put(`${at}/another`, 'y');
    const isCopied = await copyFrom(file, `${at}/copy`, ask()).then(
      () => true,
      (error: unknown) => (isKind(error, 'unsupported') ? false : Promise.reject(error)),
    );
    await assertHolds(setting, at, isCopied ? ['another', 'copy'] : ['another']);
    // Services that keep versions copy the version that was located.
    if (isCopied) assert.equal((await get(`${at}/copy`)).toString(), 'x');
  });
}
