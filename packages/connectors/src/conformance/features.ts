import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes, Found } from '../core/connector.ts';
import type { Operation } from '../core/operations.ts';
import { collect } from '../kit/body/body.ts';
import { type Setting, ask } from './setting.ts';

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
