import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userKind } from './attributes.ts';
import { ScimError } from './errors.ts';
import { matches, parseFilter } from './filter.ts';

const person = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: '2819c223',
  externalId: 'Bjensen',
  userName: 'bjensen',
  name: { familyName: "O'Malley", givenName: 'Barbara' },
  title: 'Vice President',
  userType: 'Employee',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  meta: { resourceType: 'User', created: '2010-01-23T04:56:22Z', lastModified: '2011-05-13T04:42:34Z' },
};
const holds = (filter: string, resource: Readonly<Record<string, unknown>> = person): boolean =>
  matches(userKind, resource, parseFilter(filter));

test('the filters of RFC 7644, section 3.4.2.2, match the people that they describe', () => {
  const published: Readonly<Record<string, boolean>> = {
    'userName eq "bjensen"': true,
    'name.familyName co "O\'Malley"': true,
    'userName sw "J"': false,
    'userName sw "B"': true,
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "B"': true,
    'title pr': true,
    'meta.lastModified gt "2011-05-13T04:42:34Z"': false,
    'meta.lastModified ge "2011-05-13T04:42:34Z"': true,
    'meta.lastModified lt "2011-05-13T04:42:34Z"': false,
    'meta.lastModified le "2011-05-13T04:42:34Z"': true,
    'title pr and userType eq "Employee"': true,
    'title pr or userType eq "Intern"': true,
    'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"': false,
    'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")': true,
    'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")': false,
    'userType eq "Employee" and (emails.type eq "work")': true,
    'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]': true,
    'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]': true,
  };
  for (const [filter, isTrue] of Object.entries(published)) assert.equal(holds(filter), isTrue, filter);
});

test('names and texts are compared without regard to case, but where case matters; times are compared as times', () => {
  assert.equal(holds('USERNAME EQ "BJensen"'), true);
  assert.equal(holds('externalId eq "bjensen"'), false);
  assert.equal(holds('externalId eq "Bjensen"'), true);
  assert.equal(holds('meta.lastModified eq "2011-05-13T06:42:34+02:00"'), true);
  assert.equal(holds('emails[type eq "home" and value co "@example.com"]'), false, 'both must hold of one value');
  assert.equal(holds('emails[type eq "home"] and emails[value co "@example.com"]'), true);
});

test('"and" binds closer than "or", and "not" closest', () => {
  assert.equal(holds('title pr or title pr and userType eq "Intern"'), true);
  assert.equal(holds('(title pr or title pr) and userType eq "Intern"'), false);
  assert.equal(holds('not (userType eq "Intern") and active eq true'), true);
  assert.equal(holds('active eq false or not (active eq false)'), true);
});

test('an absent attribute equals null and nothing else', () => {
  const bare = { userName: 'x', active: false };
  assert.equal(holds('title pr', bare), false);
  assert.equal(holds('title eq null', bare), true);
  assert.equal(holds('title ne "a"', bare), true);
  assert.equal(holds('name.familyName eq "a"', bare), false);
  assert.equal(holds('nickName eq "a"', bare), false);
  assert.equal(holds('title pr', { ...bare, title: '' }), false);
  assert.equal(holds('userName eq 7', bare), false);
});

test('malformed filters are refused, in linear time', () => {
  const bad = [
    '',
    'userName',
    'userName eq',
    'userName eq bjensen',
    'userName is "x"',
    '(title pr',
    'title pr)',
    'title pr and',
    '"x" eq title',
  ];
  const nested = '('.repeat(100) + 'title pr' + ')'.repeat(100);
  const long = `userName eq "${'x'.repeat(9000)}"`;
  for (const filter of [
    ...bad,
    nested,
    long,
    'active gt true',
    `userName eq "${'\n'.repeat(5000)}`,
    'emails[type eq "work"',
    '__proto__ pr',
  ])
    assert.throws(
      () => holds(filter),
      (error) => error instanceof ScimError && error.scimType === 'invalidFilter',
      filter.slice(0, 60),
    );
  assert.equal(holds('constructor pr'), false);
  assert.equal(holds('userName eq "a\\"b\\u0041"', { userName: 'A"bA' }), true);
});
