import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEnv } from '../../../conformance/env.ts';
import { type DriveFile, hashOf } from './api.ts';
import { createDriveApi } from './client.ts';

const file = (more: Partial<DriveFile>): DriveFile => ({ id: '1', name: 'a', mimeType: 'text/plain', ...more });

test('bytes are compared by SHA-1 where Drive reports it, else by MD5, and a document has neither', () => {
  assert.deepEqual(hashOf(file({ md5Checksum: 'aa', sha1Checksum: 'bb' })), { algorithm: 'sha1', value: 'bb' });
  assert.deepEqual(hashOf(file({ md5Checksum: 'aa' })), { algorithm: 'md5', value: 'aa' });
  assert.equal(hashOf(file({})), undefined);
});

test('uploads use the hash algorithm of the last file seen: MD5 before the first one, and folders do not matter', () => {
  const client = createDriveApi(testEnv({ provider: 'GoogleDrive' }));
  const after = (more: Partial<DriveFile>): string => {
    client.learn(file(more));
    return client.algorithm;
  };
  assert.equal(client.algorithm, 'md5');
  assert.equal(after({ md5Checksum: 'aa', sha1Checksum: 'bb' }), 'sha1');
  assert.equal(after({}), 'sha1');
  assert.equal(after({ md5Checksum: 'aa' }), 'md5');
  client.api.close();
});
