import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScimToken, showOrg } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { narrow } from './narrowing.ts';
import { groupKind, userKind } from './protocol/attributes.ts';
import { type Json, matches, parseFilter } from './protocol/filter.ts';
import { createScimStore } from './store.ts';

const userColumns = { key: 'userName', joined: 'groups', hasText: true };
const groupColumns = { key: 'displayName', joined: 'members', hasText: false };

test('the filters that directories send are decided by the database alone, or it reads few rows for them', () => {
  const kindOf = (filter: string) => {
    const found = narrow(userKind, userColumns, parseFilter(filter));
    return found === undefined ? 'reads all' : found.isExact ? 'exact' : 'narrowed';
  };
  for (const filter of [
    'userName eq "Anna"',
    'USERNAME sw "an"',
    'externalId eq "e-1"',
    'id eq "x"',
    'active eq true',
    'active ne false and userName eq "anna"',
    'meta.lastModified gt "2026-01-01T00:00:00Z"',
    'meta.created le "2026-01-01T00:00:00.5Z" or active eq false',
    'groups eq "g"',
    'groups[value eq "g"] and not (externalId eq "e-1")',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "anna"',
  ])
    assert.equal(kindOf(filter), 'exact', filter);
  for (const filter of [
    'emails eq "anna@example.org"',
    'emails.value co "example"',
    'emails[type eq "work"].value eq "anna@example.org"',
    'emails[type eq "work" and primary eq true]',
    'name.familyName sw "Li"',
    'title eq "guide" and title pr',
    'active eq true and displayName co "a"',
  ])
    assert.equal(kindOf(filter), 'narrowed', filter);
  for (const filter of [
    'title pr',
    'title ne "guide"',
    'name.familyName eq "Müller"',
    'title eq "guide" or title pr',
    'not (title eq "a")',
  ])
    assert.equal(kindOf(filter), 'reads all', filter);
  assert.equal(narrow(groupKind, groupColumns, parseFilter('members[value eq "u"] and displayName eq "Leads"'))?.isExact, true);
});

const people: Json[] = [
  { userName: 'Anna', externalId: 'E-1', emails: [{ value: 'Anna@Example.org', type: 'work', primary: true }], title: 'Guide' },
  {
    userName: 'ben%',
    emails: [
      { value: 'ben@example.org', type: 'work' },
      { value: 'ben@home.example', type: 'home', primary: true },
    ],
    name: { familyName: 'Lind', givenName: 'Ben "the" \\ first' },
  },
  { userName: 'ben_', externalId: 'e-1', emails: [{ value: 'c@example.org' }], active: false, displayName: '100% Kelvin \u212a' },
  { userName: 'İpek', emails: [{ value: 'ipek@example.org' }], displayName: 'İpek Maxİ', name: { familyName: 'Öz' } },
  { userName: 'émil', emails: [{ value: 'emil@example.org', type: 'home' }], userType: 'a;b', title: 'guide' },
];
const texts = [
  'vin k',
  'axi',
  'anna',
  'ben%',
  'ben_',
  'i',
  'ben',
  'k',
  'guide',
  'Öz',
  'example.org',
  'ben@home.example',
  'a;b',
  '%',
  '_',
  '"the"',
  '\\',
  'e-1',
  '',
];
const paths = [
  'userName',
  'externalId',
  'title',
  'userType',
  'displayName',
  'name.familyName',
  'name.givenName',
  'emails',
  'emails.type',
  'unknown',
];

test('what the database decides is what the filter says, for each operator, attribute and combination', async (t) => {
  const app = await testApp(t, { settings: { SHEAF_BILLING: 'off' } });
  const owner = await app.signUp('owner@example.org');
  const { org } = await owner.ask(showOrg, { orgName: 'Acme', trialDays: 7 });
  const { token } = await owner.ask(createScimToken, { orgOid: org.orgOid, name: 'Entra' });
  const ask = async (method: 'GET' | 'POST', path: string, body?: Json): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
    const answer = await app.app.inject({ method, url: `/scim/v2${path}`, headers, ...(body && { payload: JSON.stringify(body) }) });
    assert.ok(answer.statusCode < 300, `${path}: ${answer.body}`);
    return JSON.parse(answer.body) as Json;
  };
  const ids: string[] = [];
  for (const person of people) ids.push(String((await ask('POST', '/Users', person))['id']));
  const members = ids.slice(0, 2).map((value) => ({ value }));
  const leads = String((await ask('POST', '/Groups', { displayName: 'Leads', members }))['id']);
  await ask('POST', '/Groups', { displayName: 'Nobody' });

  const all = (await ask('GET', '/Users'))['Resources'] as Json[];
  assert.equal(all.length, people.length);
  const { lastModified } = (all[0] ?? {})['meta'] as Json;
  const modified = String(lastModified);
  const simple = [
    ...paths.flatMap((path) =>
      [
        ...['eq', 'co', 'sw', 'ew'].map((operator) => [operator, texts] as const),
        ...['ne', 'gt'].map((operator) => [operator, texts.slice(0, 3)] as const),
      ].flatMap(([operator, some]) => some.map((text) => `${path} ${operator} ${JSON.stringify(text)}`)),
    ),
    ...['eq', 'gt', 'ge', 'lt', 'le', 'ne'].flatMap((operator) =>
      [modified, modified.replace('.000', '.500'), '2001-01-01T00:00:00Z', 'never'].map(
        (time) => `meta.lastModified ${operator} "${time}"`,
      ),
    ),
    'active eq true',
    'active ne true',
    'active eq false',
    'active eq "True"',
    'title pr',
    'externalId eq null',
    ...['groups', 'groups.value', 'groups.display'].flatMap((path) => [
      `${path} eq "${leads}"`,
      `${path} eq "Leads"`,
      `${path} ne "${leads}"`,
    ]),
    `id eq "${ids[1]}"`,
    `id eq "${ids[1]?.toUpperCase()}"`,
    `groups[value eq "${leads}"]`,
    `groups[value eq "${leads}" and display eq "Others"]`,
    'emails[type eq "work" and value ew "home.example"]',
    'emails[type eq "home" and value ew "home.example"]',
    'emails[TYPE eq "work"].Value eq "ben@example.org"',
    'emails[type eq "home"].value pr',
    'emails[not (type eq "work")]',
  ];
  const combined = simple
    .filter((_one, at) => at % 11 === 0)
    .flatMap((one, at, some) => {
      const other = some[(at * 7 + 3) % some.length] ?? one;
      return [`not (${one})`, `${one} and ${other}`, `${one} or ${other}`, `not (${one} and ${other}) and active eq true`];
    });
  const store = createScimStore(app.services.db);
  for (const filter of [...simple, ...combined]) {
    const wanted = all.filter((person) => matches(userKind, person, parseFilter(filter))).map(({ id }) => String(id));
    const narrowed = narrow(userKind, userColumns, parseFilter(filter));
    if (!narrowed) continue;
    const { total, rows } = await store.userWindow(org.orgOid, narrowed.condition, 0, 200);
    const found = rows.map(({ id }) => id);
    if (narrowed.isExact) assert.deepEqual([found, total], [wanted, wanted.length], filter);
    else
      assert.deepEqual(
        wanted.filter((id) => !found.includes(id)),
        [],
        filter,
      );
  }
  for (const filter of combined.filter((_one, at) => at % 9 === 0)) {
    const wanted = all.filter((person) => matches(userKind, person, parseFilter(filter))).map(({ id }) => id);
    const { totalResults, Resources } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    assert.deepEqual([(Resources as Json[]).map(({ id }) => id), totalResults], [wanted, wanted.length], filter);
  }

  const page = await ask('GET', `/Users?filter=${encodeURIComponent('active eq true')}&startIndex=2&count=2`);
  assert.deepEqual([page['totalResults'], page['startIndex'], page['itemsPerPage']], [4, 2, 2]);
  for (const [query, start, count] of [
    ['startIndex=0', 1, 4],
    ['startIndex=-5&count=1', 1, 1],
    ['count=-1', 1, 0],
    ['startIndex=5', 5, 0],
    ['count=1000', 1, 4],
  ] as const) {
    const { startIndex, itemsPerPage, totalResults } = await ask('GET', `/Users?filter=active%20eq%20true&${query}`);
    assert.deepEqual([startIndex, itemsPerPage, totalResults], [start, count, 4], query);
  }
  for (const [filter, names] of [
    ['displayName eq "LEADS"', ['Leads']],
    ['displayName sw "no"', ['Nobody']],
    ['displayName co "d"', ['Leads', 'Nobody']],
    [`members eq "${ids[0]}"`, ['Leads']],
    [`members[value eq "${ids[0]}"] and displayName sw "N"`, []],
    [`not (members.value eq "${ids[0]}")`, ['Nobody']],
    ['members.display co "ann"', ['Leads']],
  ] as const) {
    const found = (await ask('GET', `/Groups?filter=${encodeURIComponent(filter)}`))['Resources'] as Json[];
    assert.deepEqual(new Set(found.map(({ displayName }) => displayName)), new Set(names), filter);
  }
});
