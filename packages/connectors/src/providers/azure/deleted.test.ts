import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask, binOfAll, discard, namesIn, startAccountTest, textOf, write } from './testing/account.ts';

describe('blobs that soft delete keeps', () => {
  const { account, kept } = startAccountTest({ softDelete: true });
  const blobIn = (container: string, name: string) => account().container(container).blobs.get(name) ?? assert.fail(`no blob ${name}`);
  /** Snapshots that cost until somebody deletes them. */
  const active = (container: string, name: string): number =>
    blobIn(container, name).snapshots.filter(({ deletedAt }) => deletedAt === undefined).length;
  /** Everything that is deleted so far was deleted an hour ago. */
  const later = (container: string, name: string): void => {
    const blob = blobIn(container, name);
    blob.snapshots = blob.snapshots.map((one) => ({ ...one, deletedAt: one.deletedAt && one.deletedAt - 3_600_000 }));
  };

  test('a deleted folder comes back, and the time of what was overwritten there goes on', async () => {
    const { container, connector, bin } = kept();
    await connector.createFolder?.('/album', ask());
    await write(connector, '/album/one', 'old');
    await write(connector, '/album/one', 'first');
    await write(connector, '/album/two', 'second');
    later(container, 'album/one');
    const binId = await discard(bin, '/album');
    assert.deepEqual((await binOfAll(bin)).items, ['/album/one 5', '/album/two 6']);
    await bin.restore(binId, '/album', ask());
    assert.deepEqual(await namesIn(connector, '/album'), ['one', 'two']);
    assert.equal(await textOf(connector, '/album/one'), 'first');
    assert.deepEqual([blobIn(container, 'album/one').snapshots.length, active(container, 'album/one')], [1, 0]);
    assert.deepEqual((await binOfAll(bin)).items, []);
  });

  test('a snapshot that was deleted together with its blob comes back with it', async () => {
    const { container, connector, bin } = kept();
    await write(connector, '/file', 'words');
    const blob = blobIn(container, 'file');
    blob.snapshots.push({ ...(blob.base ?? assert.fail('no base')), snapshot: '2026-11-25T10:00:00.0000000Z' });
    const binId = await discard(bin, '/file');
    assert.equal(active(container, 'file'), 0);
    await bin.restore(binId, '/file', ask());
    assert.equal(active(container, 'file'), 1);
  });

  test('a file whose name was taken is refused, and comes back when the name is free again', async () => {
    const { container, connector, bin } = kept();
    await write(connector, '/name', 'first');
    const first = await discard(bin, '/name');
    await write(connector, '/name', 'the second');
    await assert.rejects(bin.restore(first, '/name', ask()), { kind: 'alreadyExists' });
    assert.equal((await bin.binned(first, ask())).size, 5);
    assert.equal(await textOf(connector, '/name'), 'the second');
    const ended = JSON.stringify({ ...JSON.parse(first), until: 0 });
    later(container, 'name');
    await discard(bin, '/name');
    await bin.restore(ended, '/name', ask());
    assert.equal(await textOf(connector, '/name'), 'first');
    assert.equal(active(container, 'name'), 0);
  });

  test('a replaced content is restored, and a look at earlier ones changes nothing', async () => {
    const { container, connector, versions } = kept();
    await write(connector, '/file', 'first words');
    const first = (await versions.versionOf('/file', ask())) ?? assert.fail('no version');
    await write(connector, '/file', 'second');
    const second = (await versions.versionOf('/file', ask())) ?? assert.fail('no version');
    assert.equal(await versions.listVersions?.('/file', ask()), undefined);
    await assert.rejects(versions.readVersion?.('/file', first, ask()) ?? assert.fail(), { kind: 'notFound' });
    await versions.restoreVersion('/file', first, ask());
    assert.equal(await textOf(connector, '/file'), 'first words');
    assert.deepEqual([blobIn(container, 'file').snapshots.length, active(container, 'file')], [2, 0]);
    await versions.restoreVersion('/file', second, ask());
    assert.equal(await textOf(connector, '/file'), 'second');
    await assert.rejects(versions.restoreVersion('/file', '0x8D0', ask()), { kind: 'notFound' });
  });

  test('the bin comes in pages', async () => {
    const { connector, bin } = kept(undefined, { pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await write(connector, `/${name}`, name);
    for (const name of ['a', 'c', 'e']) await discard(bin, `/${name}`);
    const { items, pages } = await binOfAll(bin);
    assert.deepEqual(items, ['/a 1', '/c 1', '/e 1']);
    assert.ok(pages > 1);
  });

  test('a blob that was undeleted elsewhere, or whose time is over, is no longer in the bin', async () => {
    const { container, connector, bin } = kept();
    await write(connector, '/back', 'x');
    await write(connector, '/over', 'x');
    const [back, over] = [await discard(bin, '/back'), await discard(bin, '/over')];
    account().container(container).undelete('back');
    account().container(container).blobs.delete('over');
    await assert.rejects(bin.binned(back, ask()), { kind: 'notFound' });
    await assert.rejects(bin.restore(over, '/over', ask()), { kind: 'notFound' });
  });
});
