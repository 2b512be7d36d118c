import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptOrgInvitation,
  changeOrgMember,
  createScimToken,
  leaveOrg,
  listAudit,
  listOrgMembers,
  listOrgs,
  revokeScimToken,
  setDirectoryGroupRole,
  showDirectory,
  showOrg,
} from '@sheaf/contract';
import { type Oidc, startOidc } from '@sheaf/testbed';
import { type TestApp, type User, testApp } from '#/testing/app.ts';
import { mailedToken, mailsTo } from '#/testing/outbox.ts';

type Json = Record<string, unknown>;
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A directory that keeps the members of one organisation. */
interface Directory {
  readonly token: string;
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Makes a person; fails unless that worked. */
  add(userName: string, more?: Json): Promise<string>;
  patch(path: string, ...operations: Json[]): Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Json;
}

async function directoryOf(app: TestApp, owner: User, orgOid: string): Promise<Directory> {
  const { token } = await owner.ask(createScimToken, { orgOid, name: 'Entra' });
  const ask: Directory['ask'] = async (method, path, body, headers = {}) => {
    const response = await app.app.inject({
      method,
      url: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body === '' ? {} : (JSON.parse(response.body) as Json),
    };
  };
  return {
    token,
    ask,
    async add(userName, more = {}) {
      const { status, body } = await ask('POST', '/Users', { schemas: [userSchema], userName, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return String(body['id']);
    },
    patch: (path, ...operations) => ask('PATCH', path, { schemas: [patchSchema], Operations: operations }),
  };
}

async function appWith(t: TestContext, settings: Readonly<Record<string, string>> = { SHEAF_BILLING: 'off' }) {
  const app = await testApp(t, { settings });
  const owner = await app.signUp('owner@example.org');
  const { org } = await owner.ask(showOrg, { orgName: 'Acme', trialDays: 7 });
  const { orgOid } = org;
  const directory = await directoryOf(app, owner, orgOid);
  const members = async () =>
    (await owner.ask(listOrgMembers, { orgOid })).members.map(
      ({ email, role, isInvited }) => `${email} ${role}${isInvited ? ' invited' : ''}`,
    );
  const log = async () =>
    (await owner.ask(listAudit, { orgOid, limit: 100 })).entries.map(({ actorName, sentence }) => `${actorName} ${sentence}`).toReversed();
  const accept = async (person: User): Promise<void> => {
    await person.ask(acceptOrgInvitation, { token: await mailedToken(app, person.email, '/invitation/org') });
  };
  return { app, owner, orgOid, directory, members, log, accept };
}

test('a person of the directory is invited, joins, becomes an admin by a group, is suspended and comes back without being asked', async (t) => {
  const { app, owner, orgOid, directory, members, log, accept } = await appWith(t);
  const mara = await app.signUp('mara@example.org');
  const id = await directory.add('mara@example.org', { externalId: 'e-1', name: { givenName: 'Mara', familyName: 'Lind' } });
  assert.deepEqual(await members(), ['owner@example.org owner', 'mara@example.org member invited']);
  const mail = (await mailsTo(app, mara.email)).at(-1) ?? '';
  assert.match(mail, /would like you to join Acme/);
  await accept(mara);

  const made = await directory.ask('POST', '/Groups', { schemas: [groupSchema], displayName: 'Leads', members: [{ value: id }] });
  assert.equal(made.status, 201);
  const { groups, people, joined } = await owner.ask(showDirectory, { orgOid });
  assert.deepEqual(
    [groups.map(({ name, members: number, role }) => [name, number, role]), people, joined],
    [[['Leads', 1, 'member']], 1, 1],
  );
  await owner.ask(setDirectoryGroupRole, { orgOid, groupId: groups[0]?.groupId ?? '', role: 'admin' });
  assert.deepEqual(await members(), ['owner@example.org owner', 'mara@example.org admin']);

  assert.equal((await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).status, 200);
  assert.deepEqual(await members(), ['owner@example.org owner']);
  assert.equal((await mara.refusal(listOrgMembers, { orgOid })).messageCode, 'ORG_NOT_FOUND');
  assert.match((await mailsTo(app, mara.email)).at(-1) ?? '', /no longer a member of Acme/);
  assert.equal((await directory.patch(`/Users/${id}`, { op: 'Replace', value: { active: true } })).status, 200);
  assert.deepEqual(await members(), ['owner@example.org owner', 'mara@example.org admin']);

  assert.equal((await directory.ask('DELETE', `/Groups/${String(made.body['id'])}`)).status, 204);
  assert.deepEqual(await members(), ['owner@example.org owner', 'mara@example.org member']);
  assert.equal((await directory.ask('DELETE', `/Users/${id}`)).status, 204);
  assert.equal((await directory.ask('GET', `/Users/${id}`)).status, 404);
  assert.deepEqual(await members(), ['owner@example.org owner']);
  const told = (await log()).filter((line) => !line.includes('organisation') && !line.includes('trial'));
  assert.deepEqual(told, [
    'Mara made the directory token Entra of Acme',
    'Entra invited mara@example.org to Acme as member',
    'Mara joined Acme',
    'Mara let the group Leads of the directory make admin of Acme',
    'Directory made Mara admin of Acme',
    'Entra removed Mara from Acme',
    'Entra added Mara to Acme as admin',
    'Entra made Mara member of Acme',
    'Entra removed Mara from Acme',
  ]);
});

test('nobody is made a member against their will: who declines by leaving is invited anew, and another address is another person', async (t) => {
  const { app, orgOid, directory, members, accept } = await appWith(t);
  const mara = await app.signUp('mara@example.org');
  await app.services.accounts.markVerified({ id: mara.userId, email: mara.email });
  const id = await directory.add('mara', { emails: [{ value: 'Mara@Example.org', primary: true }] });
  await accept(mara);
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Guide' });
  await mara.ask(leaveOrg, { orgOid });
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lead' });
  assert.deepEqual(await members(), ['owner@example.org owner', 'mara@example.org member invited']);
  await accept(mara);
  const moved = await directory.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value: 'other@example.org' }] });
  assert.equal(moved.status, 200);
  assert.deepEqual(await members(), ['owner@example.org owner', 'other@example.org member invited']);
  await directory.ask('DELETE', `/Users/${id}`);
  assert.deepEqual(await members(), ['owner@example.org owner']);
});

test("the operator's own provider brings people of the directory in at their first sign-in, without an invitation", async (t) => {
  const publicUrl = 'http://sheaf.test';
  const oidc: Oidc = await startOidc({ redirectUris: [`${publicUrl}/login/with/company/callback`] });
  t.after(() => oidc.stop());
  const { app, directory, members } = await appWith(t, {
    SHEAF_BILLING: 'off',
    SHEAF_PUBLIC_URL: publicUrl,
    SHEAF_OIDC_COMPANY_ISSUER_URL: oidc.issuer,
    SHEAF_OIDC_COMPANY_CLIENT_ID: oidc.clientId,
    SHEAF_OIDC_COMPANY_CLIENT_SECRET: oidc.clientSecret,
    SHEAF_OIDC_COMPANY_SIGNUP: 'allow',
  });
  await directory.add('mara@example.org');
  await directory.add('eve@example.org');
  const signIn = async (email: string, emailVerified: boolean) => {
    const browser = app.visitor();
    const follow = async (url: string): Promise<string> =>
      String((await browser.inject({ url: url.replace(publicUrl, '') })).headers.location);
    await follow(await oidc.visit(await follow('/login/with/company'), { email, emailVerified, name: 'Somebody' }));
    return browser;
  };
  assert.equal((await (await signIn('mara@example.org', true)).ask(listOrgs, {})).orgs[0]?.name, 'Acme');
  const eve = await (await signIn('eve@example.org', false)).ask(listOrgs, {});
  assert.deepEqual([eve.orgs, eve.invitations], [[], []], 'an address that nobody has proven brings nobody in');
  assert.deepEqual(await members(), ['owner@example.org owner', 'mara@example.org member', 'eve@example.org member invited']);
});

test('a plan without a free place refuses people with a sentence, and keeps nothing of them', async (t) => {
  const { owner, orgOid, directory, members } = await appWith(t, {});
  const { planMembers } = (await owner.ask(listOrgs, {})).orgs[0] ?? { planMembers: 0 };
  for (let at = 1; at < planMembers; at++) await directory.add(`p${at}@example.org`);
  const late = await directory.ask('POST', '/Users', { userName: 'late@example.org' });
  assert.deepEqual([late.status, late.body['detail']], [403, 'The plan of the organisation has no free place. The owner can buy more.']);
  assert.equal((await directory.ask('GET', '/Users')).body['totalResults'], planMembers - 1);
  assert.equal((await members()).length, planMembers);
  const first = ((await directory.ask('GET', '/Users?count=1')).body['Resources'] as Json[])[0];
  await directory.patch(`/Users/${String(first?.['id'])}`, { op: 'replace', path: 'active', value: false });
  const inactive = await directory.add('late@example.org');
  const again = await directory.patch(`/Users/${String(first?.['id'])}`, { op: 'replace', path: 'active', value: true });
  assert.equal(again.status, 403);
  const kept = await directory.ask('GET', `/Users/${String(first?.['id'])}`);
  assert.equal(kept.body['active'], false, 'what could not be is not said to be');
  assert.ok(inactive && orgOid);
});

test('the owner cannot be removed by a directory, and a group of admins makes nobody the owner', async (t) => {
  const { app, owner, directory, members } = await appWith(t);
  await app.services.accounts.markVerified({ id: owner.userId, email: owner.email });
  const id = await directory.add(owner.email);
  assert.deepEqual(await members(), ['owner@example.org owner']);
  const refused = await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  assert.deepEqual([refused.status, refused.body['scimType']], [400, 'mutability']);
  assert.equal((await directory.ask('DELETE', `/Users/${id}`)).status, 400);
  assert.deepEqual(await members(), ['owner@example.org owner']);
});

test('a token opens one organisation, and ends with its revocation or with its maker being an admin', async (t) => {
  const { app, owner, orgOid, directory, accept } = await appWith(t);
  const other = await app.signUp();
  const { org: another } = await other.ask(showOrg, { orgName: 'Other', trialDays: 7 });
  const foreign = await directoryOf(app, other, another.orgOid);
  const id = await directory.add('mara@example.org');
  for (const [method, path] of [
    ['GET', `/Users/${id}`],
    ['DELETE', `/Users/${id}`],
  ] as const)
    assert.equal((await foreign.ask(method, path)).status, 404);
  assert.equal((await foreign.ask('GET', '/Users')).body['totalResults'], 0);
  const stolen = await foreign.ask('POST', '/Groups', { displayName: 'Theirs', members: [{ value: id }] });
  assert.deepEqual(stolen.body['members'], [], 'people of others come into no group');
  assert.equal((await owner.refusal(showDirectory, { orgOid: another.orgOid })).messageCode, 'ORG_NOT_FOUND');

  const mara = await app.signUp('mara@example.org');
  await accept(mara);
  assert.equal((await mara.refusal(showDirectory, { orgOid })).messageCode, 'ROLE_FORBIDS');
  assert.equal((await mara.refusal(createScimToken, { orgOid, name: 'Mine' })).messageCode, 'ROLE_FORBIDS');
  const memberId = (await owner.ask(listOrgMembers, { orgOid })).members.find(({ email }) => email === mara.email)?.memberId ?? '';
  await owner.ask(changeOrgMember, { orgOid, memberId, role: 'admin' });
  const hers = await directoryOf(app, mara, orgOid);
  assert.equal((await hers.ask('GET', '/Users')).status, 200);
  await owner.ask(changeOrgMember, { orgOid, memberId, role: 'member' });
  assert.equal((await hers.ask('GET', '/Users')).status, 401);
  await owner.ask(changeOrgMember, { orgOid, memberId, role: 'admin' });
  assert.equal((await hers.ask('GET', '/Users')).status, 401, 'it does not come back');

  const { tokens } = await owner.ask(showDirectory, { orgOid });
  assert.deepEqual(
    tokens.map(({ name, madeBy }) => [name, madeBy]),
    [['Entra', 'Mara']],
  );
  assert.equal(JSON.stringify(await app.services.db.selectFrom('scim_token').selectAll().execute()).includes(directory.token), false);
  await owner.ask(revokeScimToken, { orgOid, tokenId: tokens[0]?.tokenId ?? '' });
  const ended = await directory.ask('GET', '/Users');
  assert.deepEqual([ended.status, ended.headers['www-authenticate'], ended.body['status']], [401, 'Bearer realm="Sheaf"', '401']);
  assert.equal((await app.app.inject({ url: '/scim/v2/Schemas' })).statusCode, 401);
  assert.equal(app.log().includes(directory.token), false);
});

test('lists have filters, pages and chosen attributes, also by a search', async (t) => {
  const { directory } = await appWith(t);
  for (const name of ['anna', 'ben', 'cleo', 'dora', 'emil'])
    await directory.add(`${name}@example.org`, { externalId: `id-${name}`, title: name === 'cleo' ? 'Guide' : 'Driver' });
  const list = async (query: Record<string, string>) =>
    (await directory.ask('GET', `/Users?${new URLSearchParams(query).toString()}`)).body;
  const names = (body: Json): unknown[] => (body['Resources'] as Json[]).map((one) => one['userName']);
  assert.deepEqual(names(await list({ filter: 'userName eq "CLEO@example.org"' })), ['cleo@example.org']);
  assert.deepEqual(names(await list({ filter: 'externalId eq "id-ben"' })), ['ben@example.org']);
  assert.deepEqual(names(await list({ filter: 'userName eq "cleo@example.org" and title eq "Driver"' })), []);
  const drivers = await list({ filter: 'title eq "driver"', count: '2', startIndex: '2' });
  assert.deepEqual(
    [drivers['totalResults'], drivers['startIndex'], drivers['itemsPerPage'], (drivers['Resources'] as Json[]).length],
    [4, 2, 2, 2],
  );
  assert.equal((await list({ count: '0' }))['totalResults'], 5);
  const few = await list({ filter: 'externalId eq "id-ben"', attributes: 'userName,meta.version' });
  assert.deepEqual(Object.keys((few['Resources'] as Json[])[0] ?? {}).toSorted(), ['id', 'meta', 'schemas', 'userName']);
  const less = await list({ filter: 'externalId eq "id-ben"', excludedAttributes: 'meta,groups,title' });
  assert.deepEqual(Object.keys((less['Resources'] as Json[])[0] ?? {}).toSorted(), ['active', 'externalId', 'id', 'schemas', 'userName']);
  const searched = await directory.ask('POST', '/Users/.search', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'title eq "Guide"',
    attributes: ['userName'],
  });
  assert.deepEqual(names(searched.body), ['cleo@example.org']);
  const wrong = await directory.ask('GET', '/Users?filter=title%20is%20x');
  assert.deepEqual(
    [wrong.status, wrong.body['scimType'], wrong.body['schemas']],
    [400, 'invalidFilter', ['urn:ietf:params:scim:api:messages:2.0:Error']],
  );
  assert.equal((await directory.ask('GET', '/Users?count=many')).status, 400);
});

test('pages of a list hold everybody once, and filters also compare ids, times and groups', async (t) => {
  const { directory } = await appWith(t);
  const ids: string[] = [];
  for (const name of ['anna', 'ben', 'cleo', 'dora', 'emil']) ids.push(await directory.add(`${name}@example.org`));
  const idsOf = (body: Json): string[] => (body['Resources'] as Json[]).map((one) => String(one['id']));
  const list = async (query: Record<string, string>) =>
    (await directory.ask('GET', `/Users?${new URLSearchParams(query).toString()}`)).body;
  const pages = [await list({ count: '2' }), await list({ startIndex: '3', count: '2' }), await list({ startIndex: '5', count: '2' })];
  assert.deepEqual(pages.flatMap(idsOf), ids.toSorted());
  assert.deepEqual(
    pages.map((page) => page['totalResults']),
    [5, 5, 5],
  );
  assert.deepEqual(idsOf(await list({ startIndex: '6' })), []);
  const found = async (filter: string) => idsOf(await list({ filter })).toSorted();
  const [anna = '', ben = ''] = ids;
  assert.deepEqual(await found(`id eq "${ben}"`), [ben]);
  assert.deepEqual(await found(`id eq "${ben}" and userName sw "anna"`), []);
  assert.deepEqual(await found('meta.created gt "2001-01-01T00:00:00Z"'), ids.toSorted());
  const members = [{ value: anna }, { value: ben }];
  const { body: group } = await directory.ask('POST', '/Groups', { schemas: [groupSchema], displayName: 'Drivers', members });
  assert.deepEqual(await found(`groups.value eq "${String(group['id'])}"`), [anna, ben].toSorted());
  assert.deepEqual(await found(`not (groups[display eq "Drivers"]) and active eq true`), ids.slice(2).toSorted());
  const groups = async (filter: string) => idsOf((await directory.ask('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body);
  assert.deepEqual(await groups(`members.value eq "${anna}"`), [group['id']]);
  assert.deepEqual(await groups(`members.value eq "${ids[4] ?? ''}"`), []);
});

test('requests that add people to one group at the same time all count', async (t) => {
  const { directory } = await appWith(t);
  const people = await Promise.all(Array.from({ length: 12 }, (_, index) => directory.add(`person${index}@example.org`)));
  const made = await directory.ask('POST', '/Groups', { schemas: [groupSchema], displayName: 'All' });
  const path = `/Groups/${String(made.body['id'])}`;
  const answers = await Promise.all(people.map((id) => directory.patch(path, { op: 'add', path: 'members', value: [{ value: id }] })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const { members } = (await directory.ask('GET', path)).body as { members: { value: string }[] };
  assert.deepEqual(members.map(({ value }) => value).toSorted(), people.toSorted());
});

test('two changes of one version: the second is refused, and so is a name that is taken', async (t) => {
  const { directory } = await appWith(t);
  const id = await directory.add('mara@example.org');
  const { headers } = await directory.ask('GET', `/Users/${id}`);
  const etag = String(headers['etag']);
  assert.equal((await directory.ask('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status, 304);
  const body = { schemas: [userSchema], userName: 'mara@example.org', title: 'A' };
  assert.equal((await directory.ask('PUT', `/Users/${id}`, body, { 'if-match': etag })).status, 200);
  assert.equal((await directory.ask('PUT', `/Users/${id}`, body, { 'if-match': etag })).status, 412);
  for (const taken of [{ userName: 'MARA@example.org' }, { userName: 'other', emails: [{ value: 'mara@example.org' }] }]) {
    const refused = await directory.ask('POST', '/Users', taken);
    assert.deepEqual([refused.status, refused.body['scimType']], [409, 'uniqueness']);
  }
  assert.equal((await directory.ask('POST', '/Users', { userName: 'no address' })).body['scimType'], 'invalidValue');
  const raced = await Promise.all([1, 2, 3, 4].map(() => directory.ask('POST', '/Users', { userName: 'race@example.org' })));
  assert.deepEqual(
    raced.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409, 409],
  );
});

test('the service describes itself as it is', async (t) => {
  const { directory } = await appWith(t);
  const config = (await directory.ask('GET', '/ServiceProviderConfig')).body;
  for (const [what, isSupported] of Object.entries({
    patch: true,
    filter: true,
    etag: true,
    bulk: false,
    sort: false,
    changePassword: false,
  }))
    assert.equal((config[what] as Json)['supported'], isSupported, what);
  const types = (await directory.ask('GET', '/ResourceTypes')).body['Resources'] as Json[];
  assert.deepEqual(
    types.map(({ endpoint, schema }) => [endpoint, schema]),
    [
      ['/Users', userSchema],
      ['/Groups', groupSchema],
    ],
  );
  const schema = (await directory.ask('GET', `/Schemas/${userSchema}`)).body;
  const attributes = schema['attributes'] as Json[];
  assert.deepEqual(
    attributes.filter(({ required }) => required === true).map(({ name }) => name),
    ['userName'],
  );
  assert.equal((await directory.ask('POST', '/Bulk', {})).status, 501);
  assert.equal((await directory.ask('GET', '/Me')).status, 501);
  assert.equal((await directory.ask('GET', '/Elephants')).status, 404);
  const answer = await directory.ask('POST', '/Users', undefined);
  assert.deepEqual(
    [answer.status, answer.body['scimType'], answer.headers['content-type']],
    [400, 'invalidSyntax', 'application/scim+json; charset=utf-8'],
  );
});
