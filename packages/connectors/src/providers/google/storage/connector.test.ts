import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { conformance, hardNames } from '../../../conformance/index.ts';
import { namesIn, startCloudTest } from './testing/bucket.ts';

describe('Google Cloud Storage on its simulator', () => {
  const { open, newBucket } = startCloudTest();
  const badNames = [hardNames['a newline'] ?? assert.fail('there is no such name')];

  conformance('Google Cloud Storage, simple structure', async () => open({ bucketName: newBucket() }), { many: 1100, badNames });
  conformance(
    'Google Cloud Storage, enhanced structure',
    async () => open({ bucketName: newBucket(), directoryStructure: directoryStructures.enhanced }),
    { many: 1100, badNames, keepsModified: true },
  );

  test('the demo bucket shows its files and folders', async () => {
    const connector = open({ bucketName: 'mara-files' });
    assert.deepEqual(await namesIn(connector, '/'), ['photos', 'plans', 'readme.txt']);
    assert.deepEqual(await namesIn(connector, '/photos'), ['2026', 'evening.jpg']);
  });
});
