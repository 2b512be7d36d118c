import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@sheaf/contract';
import { createUploadProgress } from './upload-progress.ts';

test('the end of an upload leaves a later one of the same id, and one of another account, alone', async () => {
  const { follow, uploadProgress } = createUploadProgress();
  const [first, second, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const uploads = [
    follow('mara', { uploadId: 'one' }, () => first.promise),
    follow('mara', { uploadId: 'one' }, () => second.promise),
    follow('nils', { uploadId: 'two' }, () => other.promise),
  ];
  first.resolve();
  await uploads[0];
  assert.deepEqual(uploadProgress('mara', ['one', 'two']), [{ uploadId: 'one', taken: 0 }]);
  assert.deepEqual(uploadProgress('nils', ['one', 'two']), [{ uploadId: 'two', taken: 0 }]);
  second.resolve();
  other.resolve();
  await Promise.all(uploads);
  assert.deepEqual([...uploadProgress('mara', ['one']), ...uploadProgress('nils', ['two'])], []);
});

test('progress is kept for a bounded number of uploads per account, and the others still run', async () => {
  const { follow, uploadProgress } = createUploadProgress();
  const ids = Array.from({ length: limits.watchedUploads + 10 }, (_, index) => `upload ${index}`);
  const end = Promise.withResolvers<void>();
  const uploads = ids.map((uploadId) => follow('mara', { uploadId }, () => end.promise));
  assert.equal(uploadProgress('mara', ids).length, limits.watchedUploads);
  end.resolve();
  await Promise.all(uploads);
  assert.deepEqual(uploadProgress('mara', ids), []);
});
