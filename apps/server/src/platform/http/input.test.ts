import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, changeOrgMember, remoteUpdate, familyCalls, updateMember } from '@sheaf/contract';
import { Type } from 'typebox';
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

test('text from a form becomes the number or boolean that the call expects, and defaults are filled in', () => {
  const input = listing({ linkUri: '/x', limit: '50', fresh: 'true' });
  assert.deepEqual([input.limit, input.fresh, input.refresh, input.sort, input.order], [50, true, true, 'name', 'asc']);
});

test('a missing field and an invalid field give different errors', () => {
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

test('only an object is valid input', () => {
  for (const body of [null, [], 'text', 5])
    assert.equal(
      code(() => listing(body)),
      'MALFORMED_REQUEST',
    );
});

test('unknown fields are dropped, or kept as text where the call accepts any', () => {
  assert.deepEqual(inputReader(updateMember.input)({ newName: 'Mara', isAdmin: 'true' }), { newName: 'Mara' });
  const draft = inputReader(familyCalls.sftp.add.input)({ host: 'nas', port: 22, nested: { deep: 1 }, validateConnection: 'false' });
  assert.deepEqual({ ...draft }, { host: 'nas', port: '22', validateConnection: false, continueAnyway: false });
});

test('where a call takes JSON as text, a JSON body may hold the object itself', () => {
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

test('a value outside the enumeration of a field is refused', () => {
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

/** What the input becomes, or the code and field of its refusal. */
function outcome(read: (raw: unknown) => unknown, raw: unknown): unknown {
  try {
    return read(raw);
  } catch (error) {
    if (error instanceof AppError) return [error.messageCode, error.details['field']];
    throw error;
  }
}

test('lengths, patterns, bounds and unions are validated as the schema says, and a refusal names the field', () => {
  const read = inputReader(
    Type.Object({
      name: Type.String({ minLength: 2, maxLength: 3 }),
      tag: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
      share: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
      step: Type.Optional(Type.Integer({ multipleOf: 5 })),
      until: Type.Optional(Type.Union([Type.Literal('never'), Type.Integer({ minimum: 1 }), Type.Null()])),
      sizes: Type.Optional(Type.Array(Type.Integer(), { maxItems: 2, uniqueItems: true })),
      marks: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', maxLength: 2 } })),
    }),
  );
  const name = 'abc';
  const all = { name, tag: 'z', share: 0.5, step: 10, until: 3, sizes: [1, 2], marks: { a: 'b' } };
  assert.deepEqual(outcome(read, { ...all, share: '0.5', step: '10', until: '3', sizes: ['1', 2], unknown: 'x' }), all);
  // JSON Schema counts characters (Unicode code points), not units of UTF-16.
  assert.deepEqual(outcome(read, { name: '🙂🙂🙂' }), { name: '🙂🙂🙂' });
  assert.deepEqual(outcome(read, { name, until: 'never', sizes: '7' }), { name, until: 'never', sizes: [7] });
  assert.deepEqual(outcome(read, { name, until: null }), { name, until: null });
  assert.deepEqual(outcome(read, {}), ['MISSING_PARAMETER', undefined]);
  for (const [field, wrong] of [
    ['name', 'a'],
    ['name', 'abcd'],
    ['name', '🙂🙂🙂🙂'],
    ['name', 'a\0b'],
    ['tag', 'Z'],
    ['share', 0],
    ['share', '1.5'],
    ['share', 'NaN'],
    ['step', 7],
    ['step', 2 ** 53 * 5],
    ['until', 'later'],
    ['until', 0],
    ['until', {}],
    ['sizes', [1, 2, 3]],
    ['sizes', [1, 1]],
    ['sizes', ['x']],
    ['marks', { a: 'long' }],
    ['marks', { a: '\0' }],
    ['marks', ['a']],
  ] as const)
    assert.deepEqual(outcome(read, { name, [field]: wrong }), ['INVALID_PARAMETER', field], JSON.stringify(wrong));
});

test('of several errors the first field counts', () => {
  const read = inputReader(Type.Object({ a: Type.Integer(), b: Type.Integer() }));
  assert.deepEqual(outcome(read, { b: 'x' }), ['MISSING_PARAMETER', undefined]);
  assert.deepEqual(outcome(read, { a: 'x' }), ['INVALID_PARAMETER', 'a']);
});
