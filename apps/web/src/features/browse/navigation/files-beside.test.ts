import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '@sheaf/contract';
import { fileBeside, foldersFirst, picturesAround } from './files-beside.ts';

const item = (name: string): Item => ({
  name,
  disambiguatedName: name,
  linkUri: `/l/${name}`,
  fileType: name.endsWith('/') ? 'FOLDER' : 'FILE',
  ...(name.endsWith('.jpg') && { thumbnailUrl: `/t?${name}` }),
});
const rows = ['a/', 'b/', 'c.jpg', 'd.txt', 'e.jpg'].map(item);
const at = (index: number): Item | undefined => rows[index];

test('the neighbours of a file are found across folders, and end with the list or with what is loaded', () => {
  assert.equal(fileBeside(at, 2, 1, 5)?.name, 'd.txt');
  assert.equal(fileBeside(at, 3, -1, 5)?.name, 'c.jpg');
  assert.equal(fileBeside(at, 2, -1, 5), undefined);
  assert.equal(fileBeside(at, 4, 1, 5), undefined);
  assert.equal(fileBeside(at, 4, 1, 9), undefined);
});

test('folders come first and are not counted among the files', () => {
  assert.equal(foldersFirst(at, 5), 2);
  assert.equal(foldersFirst(at, 1), 1);
});

test('the neighbours of a picture are pictures only', () => {
  assert.deepEqual(
    picturesAround(at, 2, 5).map(({ name }) => name),
    ['c.jpg', 'e.jpg'],
  );
});
