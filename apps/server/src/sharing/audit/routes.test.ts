import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createWeblink,
  exportAudit,
  familyCalls,
  getWeblinks,
  linkUriOf,
  listAudit,
  orgRoles,
  removeWeblink,
  spaceRoles,
  updateWeblink,
} from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import { type TestApp, testApp } from '#/testing/app.ts';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

const record = async ({ services }: Pick<TestApp, 'services'>, accountId: string, subjectName: string, spaceId?: string): Promise<void> =>
  recordAudit(services.database.db, {
    accountId,
    actorId: accountId,
    action: 'link.add',
    subjectId: 'x',
    subjectName,
    at: 1_800_000_000,
    ...(spaceId !== undefined && { spaceId }),
  });

test('creating, changing and removing a share is logged together with the change, without anything that opens the share', async (t) => {
  const app = await linkApp(t, { now: () => 1_800_000_000 });
  const { user, source } = app;
  source.put('/Trip/a.txt', 'first');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip/a.txt'), password: 'share-secret' });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 86_400 });
  await user.ask(updateWeblink, { weblinkUri: weblinkId, expirationSeconds: 86_400 });
  await user.ask(removeWeblink, { webLinkId: weblinkId });
  await user.refusal(removeWeblink, { webLinkId: weblinkId });
  const { entries } = await user.ask(listAudit, { limit: 50 });
  const shares = entries.filter(({ action }) => action.startsWith('share.'));
  assert.deepEqual(
    shares.map(({ actorName, sentence, at }) => [actorName, sentence, at]),
    [
      ['Mara', 'removed the public link of a.txt', 1_800_000_000],
      ['Mara', 'changed the public link of a.txt', 1_800_000_000],
      ['Mara', 'shared a.txt by a public link', 1_800_000_000],
    ],
  );
  const stored = JSON.stringify(await app.services.database.db.selectFrom('audit_event').selectAll().execute());
  for (const secret of [weblinkId, 'share-secret', sftpInfo.password]) assert.ok(!stored.includes(secret));
});

test('a failed change leaves no event, and an event that cannot be written prevents the change', async (t) => {
  const { user, source, services } = await linkApp(t);
  source.put('/a.txt', 'first');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  const share = { linkUri: linkUriOf(userLinkId, '/a.txt') };
  await user.refusal(createWeblink, { linkUri: linkUriOf(userLinkId, '/none.txt') });
  const shares = async () => (await user.ask(listAudit, { limit: 50 })).entries.filter(({ action }) => action.startsWith('share.'));
  assert.deepEqual(await shares(), []);
  await services.database.db.schema.alterTable('audit_event').renameTo('audit_away').execute();
  assert.equal((await user.refusal(createWeblink, share)).messageCode, 'UNEXPECTED');
  await services.database.db.schema
    .alterTable('audit_away' as 'audit_event')
    .renameTo('audit_event')
    .execute();
  assert.deepEqual(await user.ask(getWeblinks, {}), []);
  await user.ask(createWeblink, share);
  assert.equal((await shares()).length, 1);
});

test('the log comes in pages, the newest first, and is readable by nobody else', async (t) => {
  const app = await testApp(t);
  const [mara, other] = [await app.signUp(), await app.signUp()];
  for (const name of ['one', 'two', 'three']) await record(app, mara.userId, name);
  const first = await mara.ask(listAudit, { limit: 2 });
  assert.deepEqual([first.entries.map(({ name }) => name), first.hasMore], [['three', 'two'], true]);
  const { entries, hasMore } = await mara.ask(listAudit, { limit: 2, before: first.entries.at(-1)?.id ?? '' });
  assert.equal(entries[0]?.name, 'one');
  assert.equal(hasMore, false);
  assert.ok((await other.ask(listAudit, { limit: 200 })).entries.every(({ actorId }) => actorId !== mara.userId));
  assert.equal((await app.visitor().refusal(listAudit, {})).messageCode, 'INVALID_SESSION');
});

test('the log of a space and of an organisation is read by exactly the roles that may', async (t) => {
  const app = await testApp(t);
  const { db } = app.services.database;
  const owner = await app.signUp();
  const stranger = await app.signUp();
  await db
    .insertInto('account')
    .values({
      ...(await db.selectFrom('account').selectAll().where('id', '=', owner.userId).executeTakeFirstOrThrow()),
      id: 'org-1',
      kind: 'organisation',
      name: 'Harbour',
      email: '',
      emailKey: 'organisation org-1',
      passwordHash: null,
    })
    .execute();
  const space = {
    id: 'space-1',
    ownerId: owner.userId,
    name: 'Trip',
    nameKey: 'trip',
    description: '',
    storageLinkId: 'l',
    provider: 'SFTP',
  };
  await db
    .insertInto('space')
    .values({ ...space, storagePath: '/', createdAt: 1 })
    .execute();
  await record(app, 'org-1', 'an org link');
  await record(app, owner.userId, 'a space thing', 'space-1');
  const link = { provider: 'Spaces', sourceType: 'Spaces', account: '', identity: '', info: '{}', state: 'ok', checkedAt: null };
  for (const [index, role] of spaceRoles.entries()) {
    const member = role === 'owner' ? owner : await app.signUp();
    const linkId = `link-${index}`;
    const rest = { attention: null, createdAt: 1, revision: 1 };
    await db
      .insertInto('link')
      .values({ id: linkId, accountId: member.userId, name: 'Trip', nameKey: 'trip', ...link, ...rest })
      .execute();
    await db
      .insertInto('space_member')
      .values({ id: `m-${index}`, spaceId: 'space-1', accountId: member.userId, role, linkId, joinedAt: 1 })
      .execute();
    const ask = { spaceOid: 'space-1', limit: 50 };
    if (role === 'owner' || role === 'manager') {
      assert.deepEqual(
        (await member.ask(listAudit, ask)).entries.map(({ name }) => name),
        ['a space thing'],
      );
    } else {
      assert.equal((await member.refusal(listAudit, ask)).messageCode, 'ROLE_FORBIDS');
      assert.equal((await member.refusal(exportAudit, { spaceOid: 'space-1' })).messageCode, 'ROLE_FORBIDS');
    }
  }
  for (const [index, role] of orgRoles.entries()) {
    const member = await app.signUp();
    await db
      .insertInto('org_member')
      .values({ id: `o-${index}`, orgId: 'org-1', accountId: member.userId, role, joinedAt: 1 })
      .execute();
    if (role === 'member') assert.equal((await member.refusal(listAudit, { orgOid: 'org-1' })).messageCode, 'ROLE_FORBIDS');
    else assert.equal((await member.ask(listAudit, { orgOid: 'org-1', limit: 50 })).entries[0]?.name, 'an org link');
  }
  assert.equal((await stranger.refusal(listAudit, { spaceOid: 'space-1' })).messageCode, 'SPACE_NOT_FOUND');
  assert.equal((await stranger.refusal(listAudit, { orgOid: 'org-1' })).messageCode, 'ORG_NOT_FOUND');
  assert.equal((await stranger.refusal(exportAudit, { orgOid: owner.userId })).messageCode, 'ORG_NOT_FOUND');
});

test('the whole log is exported as a table whose cells no spreadsheet runs, or as JSON', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  for (let count = 0; count < 505; count++) await record(app, mara.userId, `link ${count}`);
  await record(app, mara.userId, '=cmd|"/c calc"!A1, "quoted"');
  const csv = await mara.send(exportAudit, { format: 'csv' });
  assert.match(String(csv.headers['content-type']), /^text\/csv/);
  assert.match(String(csv.headers['content-disposition']), /^attachment; filename="sheaf-activity-\d{4}-\d\d-\d\d\.csv"$/);
  const lines = csv.body.split('\r\n');
  assert.equal(lines[0], '\uFEFFTime,Who,What,Action,Name');
  assert.ok(lines[1]?.endsWith(`link.add,"'=cmd|""/c calc""!A1, ""quoted"""`), String(lines[1]));
  assert.ok(lines.length >= 508);
  const json = (await mara.send(exportAudit, { format: 'json' })).json<{ sentence: string; time: string }[]>();
  assert.ok(json.length >= 506);
  assert.equal(json[1]?.sentence, 'linked link 504');
  assert.equal(json[1].time, '2027-01-15T08:00:00.000Z');
});
