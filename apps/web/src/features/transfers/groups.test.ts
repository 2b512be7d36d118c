import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upload } from '../../lib/uploads/uploads.ts';
import { linesOf } from './groups.ts';

const upload = (id: number, batch: number, folder?: string): Upload =>
  ({ id, batch, folder, file: { name: `${id}.txt`, size: 10 }, state: 'running', sent: 5, rate: undefined }) as unknown as Upload;

test('the files of one folder share one line per selection; single files have their own', () => {
  const lines = linesOf([
    upload(1, 1, 'Photos'),
    upload(2, 1),
    upload(3, 1, 'Photos'),
    upload(4, 2, 'Photos'),
    upload(5, 2, 'Photos'),
    upload(6, 3, 'One'),
  ]);
  assert.deepEqual(
    lines.map((line) => ('upload' in line ? line.upload.id : [line.name, line.uploads.map(({ id }) => id)])),
    [['Photos', [1, 3]], 2, ['Photos', [4, 5]], 6],
  );
});
