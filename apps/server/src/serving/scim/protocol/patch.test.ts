import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupKind, userKind } from './attributes.ts';
import { ScimError } from './errors.ts';
import type { Json } from './filter.ts';
import { applyPatch } from './patch.ts';
import { readResource } from './resource.ts';

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
const user = (resource: Json, ...operations: Json[]): Json => applyPatch(userKind, resource, { schemas, Operations: operations });
const group = (resource: Json, ...operations: Json[]): Json => applyPatch(groupKind, resource, { schemas, Operations: operations });
const refusedAs = (kind: string) => (error: unknown) => error instanceof ScimError && error.scimType === kind;

const babs = {
  userName: 'bjensen',
  displayName: 'Babs',
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
};
const team = { displayName: 'Team', members: [{ value: '2819c223' }, { value: '902c246b' }] };

test('the patches of RFC 7644, section 3.5.2.1, add', () => {
  assert.deepEqual(group(team, { op: 'add', path: 'members', value: [{ display: 'James', $ref: '/Users/08e1d05d', value: '08e1d05d' }] }), {
    displayName: 'Team',
    members: [{ value: '2819c223' }, { value: '902c246b' }, { value: '08e1d05d' }],
  });
  const added = user(babs, { op: 'add', value: { emails: [{ value: 'babs@seasonal.org', type: 'home' }], displayName: 'Babs Jensen' } });
  assert.equal(added['displayName'], 'Babs Jensen');
  assert.deepEqual(
    (added['emails'] as Json[]).map(({ value }) => value),
    ['bjensen@example.com', 'babs@jensen.org', 'babs@seasonal.org'],
  );
  assert.deepEqual(group(team, { op: 'add', path: 'members', value: [{ value: '2819c223' }] }), team, 'who is in it is in it once');
});

test('the patches of RFC 7644, section 3.5.2.2, remove', () => {
  assert.deepEqual(group(team, { op: 'remove', path: 'members' }), { displayName: 'Team' });
  assert.deepEqual(group(team, { op: 'remove', path: 'members[value eq "2819c223"]' }), {
    displayName: 'Team',
    members: [{ value: '902c246b' }],
  });
  assert.deepEqual(user(babs, { op: 'remove', path: 'emails[type eq "work" and value ew "example.com"]' })['emails'], [
    { value: 'babs@jensen.org', type: 'home' },
  ]);
  const [gone, come] = [
    { op: 'remove', path: 'members[value eq "2819c223"]' },
    { op: 'add', path: 'members', value: [{ value: '08e1d05d' }] },
  ];
  assert.deepEqual(group(team, gone, come)['members'], [{ value: '902c246b' }, { value: '08e1d05d' }]);
  assert.throws(() => group(team, { op: 'remove' }), refusedAs('noTarget'));
  assert.throws(() => user(babs, { op: 'remove', path: 'userName' }), refusedAs('invalidValue'), 'what is required stays');
});

test('the patches of RFC 7644, section 3.5.2.3, replace', () => {
  assert.deepEqual(group(team, { op: 'replace', path: 'members', value: [{ value: '08e1d05d' }] })['members'], [{ value: '08e1d05d' }]);
  const work = user(babs, {
    op: 'replace',
    path: 'emails[type eq "work"]',
    value: { type: 'work', value: 'b@example.com', primary: true },
  });
  assert.deepEqual((work['emails'] as Json[])[0], { value: 'b@example.com', type: 'work', primary: true });
  const one = user(babs, { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@example.com' });
  assert.deepEqual((one['emails'] as Json[])[0], { value: 'b@example.com', type: 'work', primary: true });
  const whole = user(babs, {
    op: 'replace',
    value: { emails: [{ value: 'only@example.com', type: 'work', primary: true }], displayName: 'B' },
  });
  assert.deepEqual([(whole['emails'] as Json[]).length, whole['displayName']], [1, 'B']);
  const named = user(
    { ...babs, name: { familyName: 'Jensen', givenName: 'B' } },
    { op: 'replace', path: 'name', value: { givenName: 'Babs' } },
  );
  assert.deepEqual(named['name'], { familyName: 'Jensen', givenName: 'Babs' });
  assert.throws(() => user(babs, { op: 'replace', path: 'emails[type eq "boat"].value', value: 'x@example.com' }), refusedAs('noTarget'));
});

test('the deviating forms that Entra and Okta send are understood', () => {
  assert.equal(user(babs, { op: 'Replace', path: 'active', value: 'False' })['active'], false);
  assert.equal(user(babs, { op: 'replace', value: { active: false } })['active'], false);
  assert.deepEqual(user(babs, { op: 'Add', path: 'name.givenName', value: 'Barbara' })['name'], { givenName: 'Barbara' });
  assert.deepEqual(user(babs, { op: 'replace', value: { 'name.familyName': 'Jensen' } })['name'], { familyName: 'Jensen' });
  assert.deepEqual(user({ userName: 'x' }, { op: 'Add', path: 'emails[type eq "work"].value', value: 'x@example.com' })['emails'], [
    { type: 'work', value: 'x@example.com' },
  ]);
  assert.deepEqual(group(team, { op: 'Remove', path: 'members', value: [{ value: '902c246b' }] })['members'], [{ value: '2819c223' }]);
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  assert.deepEqual(user(babs, { op: 'Add', path: `${enterprise}:department`, value: 'Tours' }), babs, 'what we do not keep is passed over');
  assert.deepEqual(user(babs, { op: 'add', value: { [enterprise]: { department: 'Tours' } } }), babs);
  assert.equal(user(babs, { op: 'add', path: `${userKind.schema}:title`, value: 'Guide' })['title'], 'Guide');
});

test('only one address is primary: the last one that becomes it', () => {
  const primaries = (resource: Json) => (resource['emails'] as Json[]).filter(({ primary }) => primary === true).map(({ value }) => value);
  assert.deepEqual(primaries(user(babs, { op: 'replace', path: 'emails[type eq "home"].primary', value: true })), ['babs@jensen.org']);
  assert.deepEqual(primaries(user(babs, { op: 'add', path: 'emails', value: { value: 'c@d.example', primary: true } })), ['c@d.example']);
  const home = [
    { value: 'a@b.example', primary: true },
    { value: 'c@d.example', type: 'home' },
    { value: 'e@f.example', type: 'work' },
  ];
  assert.deepEqual(
    primaries(user({ userName: 'x', emails: home.toReversed() }, { op: 'add', path: 'emails[type eq "work"].primary', value: true })),
    ['e@f.example'],
  );
});

test('a malformed patch, or one of read-only attributes, changes nothing and is refused with the reason', () => {
  const before = structuredClone(babs);
  assert.throws(() => user(babs, { op: 'replace', path: 'groups', value: [] }), refusedAs('mutability'));
  assert.throws(() => user(babs, { op: 'replace', path: 'id', value: 'x' }), refusedAs('mutability'));
  assert.throws(() => user(babs, { op: 'move', path: 'title' }), refusedAs('invalidSyntax'));
  assert.throws(() => user(babs, { op: 'add', path: 'displayName[value eq "x"]', value: 'x' }), refusedAs('invalidPath'));
  assert.throws(() => user(babs, { op: 'add', path: 'emails[type eq', value: 'x' }), refusedAs('invalidPath'));
  assert.throws(() => user(babs, { op: 'add', path: 'active', value: 'perhaps' }), refusedAs('invalidValue'));
  assert.throws(() => user(babs, { op: 'add', path: 'title', value: { a: 1 } }), refusedAs('invalidValue'));
  assert.throws(() => user(babs), refusedAs('invalidSyntax'));
  assert.throws(() => applyPatch(userKind, babs, { Operations: [{ op: 'add', path: 'title', value: 'x' }] }), refusedAs('invalidSyntax'));
  assert.throws(() => user(babs, ...Array.from({ length: 1001 }, () => ({ op: 'add', path: 'title', value: 'x' }))), refusedAs('tooMany'));
  const poison = (json: string) => user(babs, { op: 'add', value: JSON.parse(json) as Json });
  assert.throws(() => poison('{"__proto__":{"active":true}}'), refusedAs('invalidPath'));
  assert.deepEqual(poison('{"constructor":{"prototype":{"active":true}}}'), babs);
  assert.equal(({} as Json)['active'], undefined);
  assert.deepEqual(babs, before);
});

test('a resource is read by the table of attributes: unknown ones are left out, wrong values are refused', () => {
  const read = readResource(userKind, {
    schemas: [userKind.schema],
    USERNAME: 'x',
    id: 'mine',
    password: 'secret',
    emails: 'x@example.com',
    nickName: 'n',
  });
  assert.deepEqual(read, { userName: 'x', emails: [{ value: 'x@example.com' }] });
  for (const [body, kind] of [
    [[], 'invalidSyntax'],
    [{ schemas: ['urn:other'], userName: 'x' }, 'invalidSyntax'],
    [{ schemas: [userKind.schema] }, 'invalidValue'],
    [{ userName: '' }, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: 'x', emails: [7] }, 'invalidValue'],
    [{ userName: 'x'.repeat(1025) }, 'invalidValue'],
    [{ userName: 'a\0b' }, 'invalidValue'],
  ] as const)
    assert.throws(() => readResource(userKind, body), refusedAs(kind), JSON.stringify(body).slice(0, 60));
});
