import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberChange } from './member-change.ts';

const known = { loginName: 'Mara Halm', loginAccount: 'mara@halm.example' };

test('the welcome form trims the name [ACC-23]', () => {
  assert.equal(memberChange(known, '  Mara H. ', known.loginAccount)?.newName, 'Mara H.');
});

test('the welcome form trims the e-mail address [ACC-24]', () => {
  assert.equal(memberChange(known, known.loginName, ' m@halm.example ')?.newEmail, 'm@halm.example');
});

test('nothing is sent when name and e-mail address are unchanged [ACC-26]', () => {
  assert.equal(memberChange(known, ' Mara Halm', 'mara@halm.example '), undefined);
});

test('a change of either sends both as newName and newEmail [ACC-27] [ACC-28]', () => {
  assert.deepEqual(memberChange(known, 'Mara', known.loginAccount), { newName: 'Mara', newEmail: 'mara@halm.example' });
  assert.deepEqual(memberChange(known, known.loginName, 'new@halm.example'), { newName: 'Mara Halm', newEmail: 'new@halm.example' });
});
