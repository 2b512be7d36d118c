import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Person,
  closePerson,
  copyObjects,
  createAppPassword,
  createAuthCode,
  emailLogin,
  getMetadata,
  getSession,
  isSession,
  keepPerson,
  linkUriOf,
  listAppPasswords,
  listAudit,
  listAuthCodes,
  listOperatorLog,
  listPeople,
  oneTransfer,
  removePersonFactor,
  resumeTransfer,
  setPersonDisabled,
  setPersonOperator,
  showOrg,
  signOutPerson,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { Visitor } from '#/testing/app.ts';
import { testEngine } from '#/testing/database.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { mailAbout } from '#/testing/outbox.ts';
import { ticketOf, withApp } from '#/testing/second-factors.ts';
import { uploading } from '#/testing/under-way.ts';

/** An installation of the operator Mara, and Noor, who has a link. */
async function operated(t: TestContext) {
  const clock = { time: 1_800_000_000 };
  const app = await linkApp(t, { settings: { SHEAF_OPERATORS: 'mara@example.org' }, now: () => clock.time });
  const operator = await app.signUp('mara@example.org');
  await app.services.accounts.markVerified({ id: operator.userId, email: operator.email });
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await addSftp(noor, 'NAS');
  const find = async (email: string): Promise<Person> => {
    const { people } = await operator.ask(listPeople, { query: email });
    assert.equal(people.length, 1, email);
    return people[0] as Person;
  };
  return Object.assign(clock, { ...app, operator, noor, userLinkId, personId: noor.userId, find });
}
const codeOf = async (user: Visitor, call: typeof setPersonDisabled | typeof listPeople | typeof keepPerson, personId: string) =>
  (await user.refusal(call, { personId, isOn: true })).messageCode;

test('operators find people and see what they use, and nobody else does', async (t) => {
  const stand = await operated(t);
  const { operator, noor, find, personId } = stand;
  const { createdAt, ...shown } = await find('NOOR@');
  assert.deepEqual(
    { ...shown, createdAt },
    {
      personId,
      name: 'Mara',
      email: noor.email,
      state: 'unverified',
      isOperator: false,
      isOperatorBySettings: false,
      isYou: false,
      hasSecondFactor: false,
      createdAt: stand.time,
      lastSeenAt: stand.time,
      links: 1,
      storedNames: 0,
    },
  );
  const own = await find(operator.email);
  assert.deepEqual([own.isYou, own.isOperator, own.isOperatorBySettings, own.state], [true, true, true, 'active']);
  assert.equal((await operator.ask(listPeople, { query: '%' })).people.length, 0);
  for (const call of [listPeople, setPersonDisabled, keepPerson] as const) assert.equal(await codeOf(noor, call, personId), 'NOT_OPERATOR');
  assert.equal((await noor.refusal(listOperatorLog, {})).messageCode, 'NOT_OPERATOR');
  assert.equal(await codeOf(operator, setPersonDisabled, operator.userId), 'OPERATOR_SELF');
  assert.equal(await codeOf(operator, setPersonDisabled, 'nobody'), 'PERSON_GONE');
  stand.time += 601;
  assert.equal(await codeOf(operator, setPersonDisabled, personId), 'PROOF_NEEDED');
});

test('pages are in the order of the addresses, without gaps', async (t) => {
  const { operator, services } = await operated(t);
  for (let number = 0; number < 60; number++)
    await services.accounts.create({ name: 'One', email: `one-${number}@many.example`, passwordHash: null, verified: true });
  const first = await operator.ask(listPeople, { query: '@MANY' });
  const second = await operator.ask(listPeople, { query: '@many', after: first.next ?? '' });
  const emails = [...first.people, ...second.people].map(({ email }) => email);
  assert.deepEqual([first.people.length, second.people.length, second.next], [50, 10, undefined]);
  assert.deepEqual(emails, emails.toSorted());
});

test('a disabled account loses its sessions, tokens and running work at once, on every instance, until it is enabled', async (t) => {
  const stand = await operated(t);
  const { operator, noor, userLinkId, personId, services } = stand;
  await noor.ask(createAuthCode, { name: 'Laptop' });
  const { username, password } = await noor.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'read' });
  const program = () => services.appPasswords.signIn(username, password, { address: '192.0.2.1', usedBy: 'test' });
  await program();
  const { written, goOn } = await uploading(stand, noor, userLinkId);
  const elsewhere = testEngine === 'postgres' ? await stand.secondInstance() : undefined;
  const session = noor.cookies.get('sid') ?? '';
  await elsewhere?.sessions.find(session);
  await operator.ask(setPersonDisabled, { personId, isOn: true });
  goOn();
  await assert.rejects(written, { name: 'AppError' });
  assert.equal(stand.source.root.children.has('late.txt'), false);
  assert.equal((await noor.refusal(getSession, {})).errorCode, 104);
  if (elsewhere)
    for (const deadline = Date.now() + 20_000; (await elsewhere.sessions.find(session)) !== undefined;)
      assert.ok(Date.now() < deadline, 'the session ends on the other instance');
  assert.equal((await stand.visitor().refusal(emailLogin, noor)).errorCode, 422);
  await assert.rejects(program);
  await assert.rejects(services.access.open(personId, userLinkId), /disabled/);
  await mailAbout(stand, noor.email, /Your Sheaf account was disabled/);
  await operator.ask(setPersonDisabled, { personId, isOn: false });
  const back = stand.visitor();
  assert.ok(isSession(await back.ask(emailLogin, noor)));
  await services.access.open(personId, userLinkId);
  assert.ok((await back.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/none') })).errorCode !== 351);
});

test('transfers of a disabled account pause, and go on where they stopped once it is enabled', async (t) => {
  const { operator, noor, personId, userLinkId, source, visitor, services } = await operated(t);
  for (let index = 0; index < 30; index++) source.put(`/from/${index}.txt`, `${index}`);
  source.put('/to/beside.txt', 'x');
  const held = Promise.withResolvers<void>();
  let written = 0;
  source.setGate(async (operation) => {
    if (operation === 'write' && ++written > 4) await held.promise;
  });
  const { userLinkId: other } = await addSftp(noor, 'Other', { server: 'other.example' });
  const ends = { linkUri: [linkUriOf(userLinkId, '/from')], parentLinkUri: linkUriOf(other, '/to') };
  const { transferId } = await noor.ask(copyObjects, { ...ends, conflict: 'fail' });
  await eventually(() => written > 4, 'files are being copied');
  await operator.ask(setPersonDisabled, { personId, isOn: true });
  held.resolve();
  const { db } = services.database;
  const stateNow = async () => (await db.selectFrom('transfer').select('state').where('id', '=', transferId).executeTakeFirst())?.state;
  await eventually(async () => (await stateNow()) === 'paused', 'the transfer pauses');
  await operator.ask(setPersonDisabled, { personId, isOn: false });
  const back = visitor();
  await back.ask(emailLogin, noor);
  await back.ask(resumeTransfer, { transferId });
  await eventually(async () => (await stateNow()) === 'done', 'the transfer ends');
  const { itemsDone, itemsFailed } = await back.ask(oneTransfer, { transferId });
  assert.deepEqual({ itemsDone, itemsFailed }, { itemsDone: 31, itemsFailed: 0 });
});

test('operators sign people out, remove lost second factors and appoint operators; each is mailed and logged', async (t) => {
  const stand = await operated(t);
  const { operator, noor, personId, find, visitor } = stand;
  await noor.ask(createAuthCode, { name: 'Laptop' });
  await noor.ask(createAppPassword, { name: 'Phone', linkUri: [], rights: 'read' });
  await withApp(stand, noor);
  assert.equal((await find(noor.email)).hasSecondFactor, true);
  await ticketOf(visitor(), noor);
  await operator.ask(removePersonFactor, { personId });
  await mailAbout(stand, noor.email, /Your second factor for Sheaf was removed/);
  await operator.ask(signOutPerson, { personId });
  assert.equal((await noor.refusal(getSession, {})).errorCode, 104);
  const again = visitor();
  assert.ok(isSession(await again.ask(emailLogin, noor)));
  assert.deepEqual((await again.ask(listAuthCodes, {})).codes, []);
  assert.deepEqual((await again.ask(listAppPasswords, {})).appPasswords, []);
  await operator.ask(setPersonOperator, { personId, isOn: true });
  const appointed = await find(noor.email);
  assert.deepEqual([appointed.isOperator, appointed.isOperatorBySettings], [true, false], 'operators can take it back');
  const { entries } = await again.ask(listOperatorLog, {});
  assert.deepEqual(
    entries.map(({ action, actor, subject }) => [action, actor, subject]),
    ['people.makeOperator', 'people.signOut', 'people.removeFactor'].map((action) => [action, `Mara (${operator.email})`, noor.email]),
  );
  await operator.ask(setPersonOperator, { personId, isOn: false });
  assert.equal((await again.refusal(listOperatorLog, {})).messageCode, 'NOT_OPERATOR');
  const { db } = stand.services.database;
  await assert.rejects(db.deleteFrom('operatorEvent').execute(), /cannot be changed/);
  await assert.rejects(db.updateTable('operatorEvent').set({ subject: 'x' }).execute(), /cannot be changed/);
});

test('an operator deletes an account with the same grace as its owner, and keeps it; one that owns an organisation stays', async (t) => {
  const stand = await operated(t);
  const { operator, noor, personId, find, visitor } = stand;
  const { closesAt } = await operator.ask(closePerson, { personId });
  assert.equal(closesAt, stand.time + 14 * 86_400);
  assert.deepEqual([(await find(noor.email)).state, (await find(noor.email)).closesAt], ['closing', closesAt]);
  await mailAbout(stand, noor.email, /an operator of this Sheaf has closed your account/);
  assert.equal((await noor.refusal(getSession, {})).errorCode, 104);
  await operator.ask(keepPerson, { personId });
  const again = visitor();
  assert.ok(isSession(await again.ask(emailLogin, noor)));
  const { entries } = await again.ask(listAudit, { limit: 10 });
  const closed = entries.find(({ action }) => action === 'account.close');
  assert.equal(closed?.actorName, 'Mara');
  await again.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
  const refusal = await operator.refusal(closePerson, { personId });
  assert.deepEqual([refusal.messageCode, refusal.details], ['PERSON_OWNS_ORGANISATIONS', { organisations: 'Acme' }]);
});
