import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropKind } from './drop-kind.ts';

const none = { ctrlKey: false, altKey: false };
const rows = (...linkUris: string[]) => ({ linkUris, canMove: true });

test('rows move within a link and are copied between links; Ctrl and Alt always copy', () => {
  assert.equal(dropKind(rows('/l/a.txt', '/l/b'), '/l/c', none), 'move');
  assert.equal(dropKind(rows('/l/a.txt'), '/other', none), 'copy');
  assert.equal(dropKind(rows('/l/a.txt', '/other/b'), '/l/c', none), 'copy');
  assert.equal(dropKind(rows('/l/a.txt'), '/l/c', { ...none, ctrlKey: true }), 'copy');
  assert.equal(dropKind(rows('/l/a.txt'), '/l/c', { ...none, altKey: true }), 'copy');
  assert.equal(dropKind({ linkUris: ['/l/a.txt'], canMove: false }, '/l/c', none), 'copy');
});

test('an item cannot be dropped on itself, into itself, or where it already is; copying it there makes a copy', () => {
  assert.equal(dropKind(rows('/l/c'), '/l/c', none), undefined);
  assert.equal(dropKind(rows('/l/c'), '/l/c/deep/er', { ...none, ctrlKey: true }), undefined);
  assert.equal(dropKind(rows('/l/c'), '/l/cellar', none), 'move');
  assert.equal(dropKind(rows('/l/a.txt', '/l/b.txt'), '/l', none), undefined);
  assert.equal(dropKind(rows('/l/a.txt'), '/l', { ...none, ctrlKey: true }), 'copy');
  assert.equal(dropKind(rows(), '/l', none), undefined);
});
