import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Limits,
  copyObjects,
  createWeblink,
  familyCalls,
  findLimitable,
  linkUriOf,
  listOperatorLog,
  oneTransfer,
  removeWeblink,
  setLimits,
  showLimits,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp, draftOf, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { mailAbout } from '#/testing/outbox.ts';

const linkDraft = (linkName: string, server: string) => draftOf({ ...sftpInfo, server }, { linkName });
const refusedLink = (user: User, name: string) => user.refusal(familyCalls.sftp.add, linkDraft(name, `${name}.example`));

test('links and shares stop at their limits, also when two are made at once, and are possible again when one is removed', async (t) => {
  const { user: boss, signUp, source } = await linkApp(t);
  const user = await signUp();
  await boss.ask(setLimits, { links: 2, shares: 1 });
  const { userLinkId } = await addSftp(user, 'One', { server: 'one.example' });
  const both = await Promise.all(['two', 'three'].map((name) => user.send(familyCalls.sftp.add, linkDraft(name, `${name}.example`))));
  assert.deepEqual(
    both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 409],
  );
  const refusal = await refusedLink(user, 'four');
  assert.deepEqual([refusal.status, refusal.errorCode], [409, 875]);
  assert.match(refusal.message, /limited the links of this account to 2/);
  assert.equal((await rowsOf(user)).length, 2);

  source.put('/a.txt', 'a');
  const linkUri = linkUriOf(userLinkId, '/a.txt');
  const shares = await Promise.all([1, 2].map(() => user.send(createWeblink, { linkUri })));
  assert.deepEqual(
    shares.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 409],
  );
  const full = await user.refusal(createWeblink, { linkUri });
  assert.deepEqual([full.status, full.errorCode], [409, 876]);

  await boss.ask(setLimits, {});
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri });
  await user.ask(removeWeblink, { webLinkId: sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1) });
  await addSftp(user, 'Five', { server: 'five.example' });
});

test("a person's own limit overrides the organisation's, which overrides everyone's; only operators see and set them", async (t) => {
  const app = await orgApp(t, { settings: { SHEAF_OPERATORS: 'boss@example.org' } });
  const boss = await app.signUp('boss@example.org');
  await app.services.accounts.markVerified({ id: boss.userId, email: boss.email });
  const member = await app.join();
  const limitOf = (limits: Limits, accountId?: string) => boss.ask(setLimits, { ...(accountId !== undefined && { accountId }), ...limits });
  await limitOf({ links: 0 });
  assert.equal((await refusedLink(member, 'one')).errorCode, 875);
  await limitOf({ links: 1 }, app.org.orgOid);
  await addSftp(member, 'One', { server: 'one.example' });
  assert.equal((await refusedLink(member, 'two')).errorCode, 875);
  await limitOf({ links: 2, bandwidth: 1_048_576 }, member.userId);
  await addSftp(member, 'Two', { server: 'two.example' });
  assert.match(await mailAbout(app, member.email, /Your limits in Sheaf have changed/), /Links: at most 2\.[\s\S]*1024 KiB a second/);

  const { everyone, accounts } = await boss.ask(showLimits, {});
  assert.deepEqual(everyone, { links: 0 });
  assert.deepEqual(
    accounts
      .map(({ accountId, kind, email, limits }) => ({ accountId, kind, email, limits }))
      .toSorted((a, b) => a.kind.localeCompare(b.kind)),
    [
      { accountId: app.org.orgOid, kind: 'organisation', email: undefined, limits: { links: 1 } },
      { accountId: member.userId, kind: 'person', email: member.email, limits: { links: 2, bandwidth: 1_048_576 } },
    ],
  );
  assert.deepEqual(
    (await boss.ask(findLimitable, { query: 'ACM' })).accounts.map(({ name }) => name),
    ['Acme'],
  );
  const { entries } = await boss.ask(listOperatorLog, {});
  assert.deepEqual(
    entries.map(({ action, subject }) => [action, subject]),
    [
      ['limits.set', member.email],
      ['limits.set', 'Acme'],
      ['limits.set', 'everyone'],
    ],
  );
  for (const call of [showLimits, findLimitable, setLimits] as const)
    assert.equal((await member.refusal(call, { query: 'a' })).messageCode, 'NOT_OPERATOR');
  assert.equal((await boss.refusal(setLimits, { accountId: 'nobody', links: 1 })).messageCode, 'PERSON_GONE');
  assert.equal((await boss.refusal(setLimits, { transfers: 0 })).status, 400);
});

test('no more transfers of an account run at once than its limit, and further ones run when one has ended', async (t) => {
  const { user, source } = await linkApp(t);
  await user.ask(setLimits, { transfers: 1 });
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  for (const name of ['a', 'b']) source.put(`/from/${name}.txt`, name);
  source.put('/to/keep.txt', 'kept');
  let reading = 0;
  const goOn = Promise.withResolvers<void>();
  source.setGate((operation) => {
    if (operation !== 'read') return undefined;
    reading += 1;
    return goOn.promise;
  });
  const copy = async (name: string) =>
    (
      await user.ask(copyObjects, {
        linkUri: [linkUriOf(one, `/from/${name}.txt`)],
        parentLinkUri: linkUriOf(other, '/to'),
        conflict: 'fail',
      })
    ).transferId;
  const stateOf = async (transferId: string) => (await user.ask(oneTransfer, { transferId })).state;
  const first = await copy('a');
  await eventually(() => reading === 1, 'the first one reads');
  const second = await copy('b');
  assert.equal(await stateOf(second), 'planning');
  assert.equal(await stateOf(first), 'running');
  goOn.resolve();
  await eventually(async () => (await stateOf(second)) === 'done' && (await stateOf(first)) === 'done', 'both are done');
});
