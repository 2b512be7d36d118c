import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { binOf, versionsOf } from '../../../core/operations.ts';
import { ask, namesIn, startCloudTest, textOf, write } from './testing/bucket.ts';

const day = '2026-11-25';
const deletion = 'DELETE /storage/v1/b/{bucket}/o/{object}';

describe('generations of Google Cloud Storage', () => {
  const { cloud, open, newBucket } = startCloudTest();

  const opened = (bucketName: string) => {
    const connector = open({ bucketName });
    const bin = binOf(connector) ?? assert.fail('no bin');
    const versions = versionsOf(connector) ?? assert.fail('no versions');
    return { connector, bin, versions };
  };

  /** A folder of two files that was deleted; returns its id in the bin. */
  async function deletedFolder({ connector, bin }: ReturnType<typeof opened>): Promise<string> {
    await connector.createFolder?.('/album', ask());
    await write(connector, '/album/one', 'first');
    await write(connector, '/album/two', 'second');
    return bin.discard('/album', { ...ask(), day, key: 'aaaaaaaa', before: () => Promise.resolve() });
  }

  test('a bucket without versioning keeps none, and one that may not be asked is taken for such', async () => {
    for (const isRefused of [false, true]) {
      const { connector, bin, versions } = opened(newBucket(undefined, { versioned: isRefused }));
      const reply = { status: 403, json: { error: { code: 403, message: 'Forbidden', errors: [{ reason: 'forbidden' }] } } };
      if (isRefused) cloud().faults.next('GET /storage/v1/b/{bucket}', 1, { kind: 'reply', reply });
      assert.equal(await bin.keeps?.(ask()), false);
      await write(connector, '/file', 'one');
      assert.equal(await versions.versionOf('/file', ask()), undefined);
      assert.equal(await versions.listVersions?.('/file', ask()), undefined);
    }
  });

  test('what was replaced is not in the bin, and nothing of what was brought back stays there', async () => {
    const bucketName = newBucket(undefined, { versioned: true });
    const at = opened(bucketName);
    await write(at.connector, '/kept', 'old');
    await write(at.connector, '/kept', 'new');
    assert.deepEqual((await at.bin.listBin?.(undefined, ask()))?.items, []);
    await write(at.connector, '/gone', 'old');
    await write(at.connector, '/gone', 'newer');
    const binId = await at.bin.discard('/gone', { ...ask(), day, key: 'aaaaaaaa', before: () => Promise.resolve() });
    assert.deepEqual(
      (await at.bin.listBin?.(undefined, ask()))?.items.map(({ name, size }) => [name, size]),
      [['gone', 5]],
    );
    await at.bin.restore(binId, '/gone', ask());
    assert.deepEqual((await at.bin.listBin?.(undefined, ask()))?.items, []);
    assert.deepEqual(
      (await at.versions.listVersions?.('/gone', ask()))?.map(({ size }) => size),
      [3],
    );
  });

  test('a folder that was brought back in part comes back whole, and what has taken a name meanwhile stays', async () => {
    const at = opened(newBucket(undefined, { versioned: true }));
    const binId = await deletedFolder(at);
    const reply = { status: 400, json: { error: { code: 400, message: 'Broken', errors: [{ reason: 'invalid' }] } } };
    cloud().faults.next(deletion, 2, { kind: 'reply', reply });
    await assert.rejects(at.bin.restore(binId, '/album', ask()), { kind: 'unexpected' });
    await at.bin.restore(binId, '/album', ask());
    assert.deepEqual(await namesIn(at.connector, '/album'), ['one', 'two']);
    assert.deepEqual(await at.versions.listVersions?.('/album/one', ask()), []);

    const other = opened(newBucket(undefined, { versioned: true }));
    const second = await deletedFolder(other);
    await other.connector.createFolder?.('/album', ask());
    await write(other.connector, '/album/one', 'taken');
    await other.bin.restore(second, '/album', ask());
    assert.deepEqual([await textOf(other.connector, '/album/one'), await textOf(other.connector, '/album/two')], ['taken', 'second']);
    assert.deepEqual(
      (await other.versions.listVersions?.('/album/one', ask()))?.map(({ size }) => size),
      [5],
    );
  });

  test('a copy whose answer is lost brings an object back once', async () => {
    const bucketName = newBucket(undefined, { versioned: true });
    const at = opened(bucketName);
    await write(at.connector, '/file', 'words');
    const binId = await at.bin.discard('/file', { ...ask(), day, key: 'aaaaaaaa', before: () => Promise.resolve() });
    cloud().faults.next(/POST .*\/rewriteTo\//, 1, { kind: 'lost' });
    assert.equal((await at.bin.restore(binId, '/file', ask())).size, 5);
    assert.deepEqual(await at.versions.listVersions?.('/file', ask()), []);
  });
});
