import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { collect } from '../../kit/body/body.ts';
import { ask, binOfAll, discard, namesIn, startAccountTest, textOf, write } from './testing/account.ts';

describe('versions of Azure Blob Storage', () => {
  const { account, kept } = startAccountTest({ versioning: true });

  /** A folder of two files that was deleted; returns its id in the bin. */
  async function deletedFolder({ connector, bin }: ReturnType<typeof kept>): Promise<string> {
    await connector.createFolder?.('/album', ask());
    await write(connector, '/album/one', 'first');
    await write(connector, '/album/two', 'second');
    return discard(bin, '/album');
  }

  test('what was replaced is listed, read and restored, and is not in the bin', async () => {
    const { connector, bin, versions } = kept();
    await write(connector, '/file', 'old');
    const old = (await versions.versionOf('/file', ask())) ?? assert.fail('no version');
    await write(connector, '/file', 'newer');
    const listed = (await versions.listVersions?.('/file', ask())) ?? assert.fail('no list');
    assert.deepEqual(
      listed.map(({ id, size }) => [id, size]),
      [[old, 3]],
    );
    const body = (await versions.readVersion?.('/file', old, ask())) ?? assert.fail('not read');
    assert.equal((await collect(body)).toString(), 'old');
    assert.deepEqual((await binOfAll(bin)).items, []);
    assert.equal((await versions.restoreVersion('/file', old, ask())).size, 3);
    assert.equal(await textOf(connector, '/file'), 'old');
    for (const none of ['2020-01-01T00:00:00.0000000Z', '2020-01-01T00:00:00Z', '0x8DC'])
      await assert.rejects(versions.restoreVersion('/file', none, ask()), { kind: 'notFound' }, none);
  });

  test('a deleted file comes back with its newest content, and its older ones stay', async () => {
    const { connector, bin, versions, container } = kept();
    await write(connector, '/gone', 'old');
    await write(connector, '/gone', 'newer');
    const binId = await discard(bin, '/gone');
    assert.deepEqual((await binOfAll(bin)).items, ['/gone 5']);
    assert.deepEqual((await binOfAll(kept(container).bin)).items, ['/gone 5'], 'another process finds it in a container without blobs');
    await bin.restore(binId, '/gone', ask());
    assert.deepEqual((await binOfAll(bin)).items, []);
    assert.deepEqual(
      (await versions.listVersions?.('/gone', ask()))?.map(({ size }) => size),
      [3],
    );
  });

  test('a folder that was brought back in part comes back whole, and what has taken a name meanwhile stays', async () => {
    const at = kept();
    const binId = await deletedFolder(at);
    const reply = { status: 400, headers: { 'content-type': 'application/xml', 'x-ms-error-code': 'InvalidInput' }, text: '<Error/>' };
    account().faults.next('PUT /{containerName}/{blob}', 1, { kind: 'reply', reply });
    await assert.rejects(at.bin.restore(binId, '/album', ask()), { kind: 'unexpected' });
    await at.bin.restore(binId, '/album', ask());
    assert.deepEqual(await namesIn(at.connector, '/album'), ['one', 'two']);

    const other = kept();
    const second = await deletedFolder(other);
    await other.connector.createFolder?.('/album', ask());
    await write(other.connector, '/album/one', 'taken');
    await other.bin.restore(second, '/album', ask());
    assert.deepEqual([await textOf(other.connector, '/album/one'), await textOf(other.connector, '/album/two')], ['taken', 'second']);
  });

  test('a file whose name was taken stays in the bin, and comes back when the name is free again', async () => {
    const { connector, bin } = kept();
    await write(connector, '/name', 'first');
    const first = await discard(bin, '/name');
    await write(connector, '/name', 'the second');
    await assert.rejects(bin.restore(first, '/name', ask()), { kind: 'alreadyExists' });
    assert.equal((await bin.binned(first, ask())).size, 5);
    const { since } = JSON.parse(first) as { since: number };
    // The period of the first deletion, whose end has a margin, ends before the second one.
    const ended = JSON.stringify({ ...JSON.parse(first), until: since - 1 });
    await discard(bin, '/name');
    await bin.restore(ended, '/name', ask());
    assert.equal(await textOf(connector, '/name'), 'first');
  });

  test('a copy whose answer is lost brings a blob back once', async () => {
    const { connector, bin, versions } = kept();
    await write(connector, '/file', 'words');
    const binId = await discard(bin, '/file');
    account().faults.next('PUT /{containerName}/{blob}', 1, { kind: 'lost' });
    assert.equal((await bin.restore(binId, '/file', ask())).size, 5);
    assert.deepEqual(await versions.listVersions?.('/file', ask()), []);
  });

  test('the bin comes in pages, without what keeps folders', async () => {
    const { connector, bin, container } = kept(undefined, { pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await write(connector, `/${name}`, 'old');
      await write(connector, `/${name}`, name);
    }
    await connector.createFolder?.('/folder', ask());
    await write(connector, '/stub', '');
    for (const name of ['a', 'c', 'e', 'folder', 'stub']) await discard(bin, `/${name}`);
    const blobs = account().container(container).blobs;
    const stub = blobs.get('stub') ?? assert.fail('no such blob');
    stub.versions = stub.versions.map((one) => ({ ...one, metadata: { hdi_isfolder: 'true' } }));
    const { items, pages } = await binOfAll(bin);
    assert.deepEqual(items, ['/a 1', '/c 1', '/e 1']);
    assert.ok(pages > 1);
  });
});

describe('what an account of Azure keeps', () => {
  const { account, kept } = startAccountTest();
  const set = (enabled: Partial<ReturnType<typeof account>['settings']>): void => {
    Object.assign(account().settings, { versioning: false, softDelete: false, hierarchical: false, tellsProperties: true, ...enabled });
  };
  const keeps = (container: string): Promise<boolean> => kept(container).bin.keeps?.(ask()) ?? assert.fail('it always keeps');

  test('neither feature, a hierarchical namespace, and a key that may not ask: a deletion is final', async () => {
    for (const enabled of [{}, { hierarchical: true, softDelete: true }, { tellsProperties: false, softDelete: true }]) {
      set(enabled);
      const { container, connector, bin, versions } = kept();
      await write(connector, '/file', 'one');
      assert.equal(await bin.keeps?.(ask()), false);
      assert.equal(await keeps(container), false);
      assert.equal(await versions.versionOf('/file', ask()), undefined);
      assert.equal(await versions.listVersions?.('/file', ask()), undefined);
      await connector.remove?.('/file', ask());
      assert.deepEqual((await binOfAll(bin)).items, []);
    }
  });

  test('versioning shows with the next write when it is enabled, and when it is disabled', async () => {
    set({});
    const { container, connector, bin, versions } = kept();
    await write(connector, '/file', 'one');
    assert.equal(await bin.keeps?.(ask()), false);
    set({ versioning: true });
    await write(connector, '/other', 'two');
    assert.equal(await bin.keeps?.(ask()), true);
    assert.equal(await keeps(container), true);
    assert.equal(await versions.versionOf('/file', ask()), undefined, 'it was written before');
    const binId = await discard(bin, '/file');
    await bin.restore(binId, '/file', ask());
    assert.equal(await textOf(connector, '/file'), 'one');
    set({});
    // Later than what has a version, by a clock of whole seconds.
    account().container(container).passTime(1100);
    await write(connector, '/file', 'three');
    assert.equal(await bin.keeps?.(ask()), false);
    assert.equal(await keeps(container), false);
    assert.equal((await versions.listVersions?.('/file', ask()))?.length, 1, 'older versions are still there');
  });

  test('with both features a deletion leaves a version', async () => {
    set({ versioning: true, softDelete: true });
    const { connector, bin, versions } = kept();
    await write(connector, '/file', 'one');
    const binId = await discard(bin, '/file');
    assert.deepEqual((await binOfAll(bin)).items, ['/file 3']);
    await bin.restore(binId, '/file', ask());
    assert.deepEqual((await binOfAll(bin)).items, []);
    assert.deepEqual(await versions.listVersions?.('/file', ask()), [], 'the version that came back is deleted');
  });
});
