import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupKind, userKind } from './attributes.ts';
import { ScimError } from './errors.ts';
import type { Json } from './filter.ts';
import { applyPatch } from './patch.ts';
import { readResource } from './resource.ts';

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
const user = (resource: Json, ...operations: Json[]): Promise<Json> => applyPatch(userKind, resource, { schemas, Operations: operations });
const group = (resource: Json, ...operations: Json[]): Promise<Json> =>
  applyPatch(groupKind, resource, { schemas, Operations: operations });
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

test('the patches of RFC 7644, section 3.5.2.1, add', async () => {
  assert.deepEqual(
    await group(team, { op: 'add', path: 'members', value: [{ display: 'James', $ref: '/Users/08e1d05d', value: '08e1d05d' }] }),
    {
      displayName: 'Team',
      members: [{ value: '2819c223' }, { value: '902c246b' }, { value: '08e1d05d' }],
    },
  );
  const added = await user(babs, {
    op: 'add',
    value: { emails: [{ value: 'babs@seasonal.org', type: 'home' }], displayName: 'Babs Jensen' },
  });
  assert.equal(added['displayName'], 'Babs Jensen');
  assert.deepEqual(
    (added['emails'] as Json[]).map(({ value }) => value),
    ['bjensen@example.com', 'babs@jensen.org', 'babs@seasonal.org'],
  );
  assert.deepEqual(await group(team, { op: 'add', path: 'members', value: [{ value: '2819c223' }] }), team, 'who is in it is in it once');
});

test('the patches of RFC 7644, section 3.5.2.2, remove', async () => {
  assert.deepEqual(await group(team, { op: 'remove', path: 'members' }), { displayName: 'Team' });
  assert.deepEqual(await group(team, { op: 'remove', path: 'members[value eq "2819c223"]' }), {
    displayName: 'Team',
    members: [{ value: '902c246b' }],
  });
  assert.deepEqual((await user(babs, { op: 'remove', path: 'emails[type eq "work" and value ew "example.com"]' }))['emails'], [
    { value: 'babs@jensen.org', type: 'home' },
  ]);
  const [gone, come] = [
    { op: 'remove', path: 'members[value eq "2819c223"]' },
    { op: 'add', path: 'members', value: [{ value: '08e1d05d' }] },
  ];
  assert.deepEqual((await group(team, gone, come))['members'], [{ value: '902c246b' }, { value: '08e1d05d' }]);
  await assert.rejects(group(team, { op: 'remove' }), refusedAs('noTarget'));
  await assert.rejects(user(babs, { op: 'remove', path: 'userName' }), refusedAs('invalidValue'), 'what is required stays');
});

test('the patches of RFC 7644, section 3.5.2.3, replace', async () => {
  assert.deepEqual((await group(team, { op: 'replace', path: 'members', value: [{ value: '08e1d05d' }] }))['members'], [
    { value: '08e1d05d' },
  ]);
  const work = await user(babs, {
    op: 'replace',
    path: 'emails[type eq "work"]',
    value: { type: 'work', value: 'b@example.com', primary: true },
  });
  assert.deepEqual((work['emails'] as Json[])[0], { value: 'b@example.com', type: 'work', primary: true });
  const one = await user(babs, { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@example.com' });
  assert.deepEqual((one['emails'] as Json[])[0], { value: 'b@example.com', type: 'work', primary: true });
  const whole = await user(babs, {
    op: 'replace',
    value: { emails: [{ value: 'only@example.com', type: 'work', primary: true }], displayName: 'B' },
  });
  assert.deepEqual([(whole['emails'] as Json[]).length, whole['displayName']], [1, 'B']);
  const named = await user(
    { ...babs, name: { familyName: 'Jensen', givenName: 'B' } },
    { op: 'replace', path: 'name', value: { givenName: 'Babs' } },
  );
  assert.deepEqual(named['name'], { familyName: 'Jensen', givenName: 'Babs' });
  await assert.rejects(user(babs, { op: 'replace', path: 'emails[type eq "boat"].value', value: 'x@example.com' }), refusedAs('noTarget'));
});

test('the deviating forms that Entra and Okta send are understood', async () => {
  assert.equal((await user(babs, { op: 'Replace', path: 'active', value: 'False' }))['active'], false);
  assert.equal((await user(babs, { op: 'replace', value: { active: false } }))['active'], false);
  assert.deepEqual((await user(babs, { op: 'Add', path: 'name.givenName', value: 'Barbara' }))['name'], { givenName: 'Barbara' });
  assert.deepEqual((await user(babs, { op: 'replace', value: { 'name.familyName': 'Jensen' } }))['name'], { familyName: 'Jensen' });
  assert.deepEqual((await user({ userName: 'x' }, { op: 'Add', path: 'emails[type eq "work"].value', value: 'x@example.com' }))['emails'], [
    { type: 'work', value: 'x@example.com' },
  ]);
  assert.deepEqual((await group(team, { op: 'Remove', path: 'members', value: [{ value: '902c246b' }] }))['members'], [
    { value: '2819c223' },
  ]);
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  assert.deepEqual(
    await user(babs, { op: 'Add', path: `${enterprise}:department`, value: 'Tours' }),
    babs,
    'what we do not keep is passed over',
  );
  assert.deepEqual(await user(babs, { op: 'add', value: { [enterprise]: { department: 'Tours' } } }), babs);
  assert.equal((await user(babs, { op: 'add', path: `${userKind.schema}:title`, value: 'Guide' }))['title'], 'Guide');
});

test('the bodies that Entra and Okta publish change what they name', async () => {
  const told = 'urn:ietf:params:scim:schemas:core:2.0:User';
  // learn.microsoft.com, "Develop a SCIM endpoint": update multi-valued properties, single-valued ones, disable a user; names without a path.
  const work = await user(babs, { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' });
  assert.deepEqual((work['emails'] as Json[])[0], { value: 'updated@example.com', type: 'work', primary: true });
  const entra = await user(
    babs,
    {
      op: 'Replace',
      value: {
        'emails[type eq "home"].value': 'b@home.example',
        'name.familyName': 'Jensen',
        DisplayName: 'B',
        [`${told}:title`]: 'Guide',
      },
    },
    { op: 'Replace', path: 'Active', value: 'True' },
    { op: 'Add', path: 'Name.GivenName', value: 'Barbara' },
    { op: 'Replace', path: 'Emails[Type eq "work"].Primary', value: 'False' },
  );
  assert.deepEqual(entra['name'], { familyName: 'Jensen', givenName: 'Barbara' });
  assert.deepEqual([entra['displayName'], entra['title'], entra['active']], ['B', 'Guide', true]);
  assert.deepEqual(entra['emails'], [
    { value: 'bjensen@example.com', type: 'work', primary: false },
    { value: 'b@home.example', type: 'home' },
  ]);
  const member = (id: string): Json => ({ $ref: null, value: id });
  assert.deepEqual((await group(team, { op: 'Add', path: 'members', value: [member('f648f8d5')] }))['members'], [
    ...team.members,
    { value: 'f648f8d5' },
  ]);
  assert.deepEqual((await group(team, { op: 'Remove', path: 'members', value: [member('902c246b')] }))['members'], [{ value: '2819c223' }]);
  assert.deepEqual((await group(team, { op: 'Remove', path: 'Members[Value eq "902c246b"]' }))['members'], [{ value: '2819c223' }]);
  // developer.okta.com, "SCIM 2.0": deactivate a user, rename a group, add and remove members, replace them all.
  assert.equal((await user(babs, { op: 'replace', value: { active: false } }))['active'], false);
  const renamed = await group(team, { op: 'replace', value: { id: 'abf4dd94', displayName: 'Renamed', meta: {} } });
  assert.deepEqual(renamed, { ...team, displayName: 'Renamed' });
  assert.deepEqual(
    (
      await group(
        team,
        { op: 'remove', path: 'members[value eq "2819c223"]' },
        { op: 'add', path: 'members', value: [{ value: '23a35c27', display: 'test.user@okta.local' }] },
      )
    )['members'],
    [{ value: '902c246b' }, { value: '23a35c27' }],
  );
  assert.deepEqual((await group(team, { op: 'replace', path: 'members', value: [] }))['members'], undefined);
});

test('only one address is primary: the last one that becomes it', async () => {
  const primaries = (resource: Json) => (resource['emails'] as Json[]).filter(({ primary }) => primary === true).map(({ value }) => value);
  assert.deepEqual(primaries(await user(babs, { op: 'replace', path: 'emails[type eq "home"].primary', value: true })), [
    'babs@jensen.org',
  ]);
  assert.deepEqual(primaries(await user(babs, { op: 'add', path: 'emails', value: { value: 'c@d.example', primary: true } })), [
    'c@d.example',
  ]);
  const home = [
    { value: 'a@b.example', primary: true },
    { value: 'c@d.example', type: 'home' },
    { value: 'e@f.example', type: 'work' },
  ];
  assert.deepEqual(
    primaries(await user({ userName: 'x', emails: home.toReversed() }, { op: 'add', path: 'emails[type eq "work"].primary', value: true })),
    ['e@f.example'],
  );
});

test('a malformed patch, or one of read-only attributes, changes nothing and is refused with the reason', async () => {
  const before = structuredClone(babs);
  await assert.rejects(user(babs, { op: 'replace', path: 'groups', value: [] }), refusedAs('mutability'));
  await assert.rejects(user(babs, { op: 'replace', path: 'id', value: 'x' }), refusedAs('mutability'));
  await assert.rejects(user(babs, { op: 'move', path: 'title' }), refusedAs('invalidSyntax'));
  await assert.rejects(user(babs, { op: 'add', path: 'displayName[value eq "x"]', value: 'x' }), refusedAs('invalidPath'));
  await assert.rejects(user(babs, { op: 'add', path: 'emails[type eq', value: 'x' }), refusedAs('invalidPath'));
  await assert.rejects(user(babs, { op: 'add', path: 'active', value: 'perhaps' }), refusedAs('invalidValue'));
  await assert.rejects(user(babs, { op: 'add', path: 'title', value: { a: 1 } }), refusedAs('invalidValue'));
  await assert.rejects(user(babs), refusedAs('invalidSyntax'));
  await assert.rejects(applyPatch(userKind, babs, { Operations: [{ op: 'add', path: 'title', value: 'x' }] }), refusedAs('invalidSyntax'));
  await assert.rejects(user(babs, ...Array.from({ length: 1001 }, () => ({ op: 'add', path: 'title', value: 'x' }))), refusedAs('tooMany'));
  const poison = (json: string) => user(babs, { op: 'add', value: JSON.parse(json) as Json });
  await assert.rejects(poison('{"__proto__":{"active":true}}'), refusedAs('invalidPath'));
  assert.deepEqual(await poison('{"constructor":{"prototype":{"active":true}}}'), babs);
  assert.equal(({} as Json)['active'], undefined);
  assert.deepEqual(babs, before);
});

test('a resource is read by the table of attributes: unknown ones are left out, wrong values are refused', async () => {
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

test('a patch that compares millions of values is refused or cut up, so that others are served meanwhile', async () => {
  const members = Array.from({ length: 10_000 }, (_, at) => ({ value: `member ${at}` }));
  const crowd = { displayName: 'Crowd', members };
  const filter = (terms: number): string => `members[${Array.from({ length: terms }, () => 'value eq "x"').join(' or ')}]`;
  await assert.rejects(group(crowd, { op: 'remove', path: filter(40) }), refusedAs('tooMany'));
  await assert.rejects(group(crowd, { op: 'remove', path: filter(400) }), refusedAs('invalidPath'));
  await assert.rejects(group(crowd, { op: 'add', path: 'members', value: [{ value: 'one more' }] }), refusedAs('invalidValue'));
  const many = Array.from({ length: 120 }, () => ({ op: 'remove', path: filter(9) }));
  await assert.rejects(group(crowd, ...many), refusedAs('tooMany'));
  // Many names of one attribute in one operation count as many changes.
  const value = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [recased('members', at), { value: 'member 1' }]));
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  await group(crowd, ...Array.from({ length: 4 }, () => ({ op: 'add', value })));
  clearInterval(counting);
  assert.ok(turns > 4, `${turns} turns of others`);
});

/** The word with those of its letters in capitals that the number's bits name. */
const recased = (word: string, bits: number): string =>
  [...word].map((letter, at) => (bits & (1 << at) ? letter.toUpperCase() : letter)).join('');
