import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './place.ts';

test('the place has a path of names, an address, and whether there is something above [PCK-30]', () => {
  assert.deepEqual(placeOf([]), { destinationPath: '', linkUri: '', backPathExists: false });
  const steps = [
    { name: 'Server', linkUri: '/L1' },
    { name: 'Old & new', linkUri: '/L1/Old%20%26%20new' },
  ];
  assert.deepEqual(placeOf(steps), { destinationPath: 'Server/Old & new', linkUri: '/L1/Old%20%26%20new', backPathExists: true });
});
