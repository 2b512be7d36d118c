import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOrgMember, remoteUpdate, familyCalls, updateMember } from '@sheaf/contract';
import { inputReader } from './input.ts';

const listing = inputReader(remoteUpdate.input);
const code = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Error && 'messageCode' in error) return String(error.messageCode);
    throw error;
  }
  return 'taken';
};

test('what a form writes as text becomes the number or truth that the call wants, and presets are filled in', () => {
  const input = listing({ linkUri: '/x', limit: '50', fresh: 'true' });
  assert.deepEqual([input.limit, input.fresh, input.refresh, input.sort, input.order], [50, true, true, 'name', 'asc']);
});

test('a missing field is told apart from a wrong one', () => {
  assert.equal(
    code(() => listing({})),
    'MISSING_PARAMETER',
  );
  for (const wrong of [
    { limit: '0' },
    { limit: '1e3' },
    { limit: '5.5' },
    { limit: '' },
    { limit: null },
    { limit: ['1', '2'] },
    { fresh: 'maybe' },
    { sort: 'colour' },
    { sort: {} },
    { sort: { toString: 'name' } },
    { sort: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown },
    { filter: 'a\0b' },
  ])
    assert.equal(
      code(() => listing({ linkUri: '/x', ...wrong })),
      'INVALID_PARAMETER',
      Object.keys(wrong).join(),
    );
  assert.equal(
    code(() => listing({ linkUri: { toString: 'x' } })),
    'INVALID_PARAMETER',
  );
});

test('only an object is an input', () => {
  for (const body of [null, [], 'text', 5])
    assert.equal(
      code(() => listing(body)),
      'MALFORMED_REQUEST',
    );
});

test('unknown fields are left out, and kept as text where the call takes any', () => {
  assert.deepEqual(inputReader(updateMember.input)({ newName: 'Mara', isAdmin: 'true' }), { newName: 'Mara' });
  const draft = inputReader(familyCalls.sftp.add.input)({ host: 'nas', port: 22, nested: { deep: 1 }, validateConnection: 'false' });
  assert.deepEqual({ ...draft }, { host: 'nas', port: '22', validateConnection: false, continueAnyway: false });
});

test('where a call takes JSON as text, a JSON body may bring the object itself', () => {
  const draft = inputReader(familyCalls.sftp.add.input);
  const info = { server: 'nas', port: 22, key: { kty: 'OKP' } };
  assert.equal(draft({ connectionInfo: info }).connectionInfo, JSON.stringify(info));
  assert.equal(draft({ connectionInfo: '{"server":"nas"}' }).connectionInfo, '{"server":"nas"}');
  for (const wrong of [{ connectionInfo: ['a', 'b'] }, { connectionInfo: null }, { serverName: info }])
    assert.equal(
      code(() => draft(wrong)),
      'INVALID_PARAMETER',
    );
});

test('no field reaches the prototype', () => {
  const hostile: unknown = JSON.parse('{"__proto__": {"rTag": "x"}, "constructor": "y"}');
  const draft = inputReader(familyCalls.sftp.add.input)(hostile);
  assert.equal(Object.getPrototypeOf(draft), Object.prototype);
  assert.equal(draft.rTag, undefined);
});

test('a word that is not among those a field allows is refused', () => {
  const change = inputReader(changeOrgMember.input);
  const role = (given: string) => change({ orgOid: 'o', memberId: 'm', role: given }).role;
  assert.equal(role('admin'), 'admin');
  for (const wrong of ['owner', 'Admin', ''])
    assert.equal(
      code(() => role(wrong)),
      'INVALID_PARAMETER',
      wrong,
    );
});
