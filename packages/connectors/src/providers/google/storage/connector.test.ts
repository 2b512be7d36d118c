import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { conformance, conformanceOfKept, hardNames } from '../../../conformance/index.ts';
import { namesIn, startCloudTest } from './testing/bucket.ts';

/** A multiple of 256 KiB. */
const usualPart = 512 * 1024;

describe('Google Cloud Storage on its simulator', () => {
  const { cloud, open, newBucket } = startCloudTest();
  const badNames = [hardNames['a newline'] ?? assert.fail('there is no such name')];

  for (const [title, directoryStructure] of [
    ['simple', directoryStructures.simple],
    ['enhanced', directoryStructures.enhanced],
  ] as const) {
    let bucketName = '';
    const reopen = async () => open({ bucketName, directoryStructure }, undefined, { usualPart });
    const openNew = async () => {
      bucketName = newBucket();
      return reopen();
    };
    conformance(`Google Cloud Storage, ${title} structure`, openNew, {
      offers: ['listTree'],
      many: 1100,
      badNames,
      keepsModified: directoryStructure === directoryStructures.enhanced,
      hashes: ['crc32c', 'md5'],
      copiesBetweenLinks: true,
      resumes: { reopen, partSize: usualPart },
      reallyIn: async (folder) => {
        const prefix = `${folder.slice(1)}/`;
        const names = cloud().buckets.get(bucketName)?.objects.names() ?? [];
        const below = names.filter((name) => name.startsWith(prefix) && name !== prefix);
        return [...new Set(below.map((name) => name.slice(prefix.length).split('/')[0] ?? ''))];
      },
    });
  }

  // Pages on which the generations of a name do not all fit.
  for (const pageSize of [2, 1000])
    conformanceOfKept(
      `Google Cloud Storage with versioning, ${pageSize} generations a page`,
      async () => open({ bucketName: newBucket(undefined, { versioned: true }) }, undefined, { pageSize }),
      { versions: true, bin: { lists: 'files', purges: false } },
    );

  test('the demo bucket shows its files and folders', async () => {
    const connector = open({ bucketName: 'mara-files' });
    assert.deepEqual(await namesIn(connector, '/'), ['photos', 'plans', 'readme.txt']);
    assert.deepEqual(await namesIn(connector, '/photos'), ['2026', 'evening.jpg']);
  });
});
