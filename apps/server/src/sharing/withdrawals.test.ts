import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addFolder,
  changeSpaceMember,
  deleteOrgLink,
  emailLogin,
  expireSessions,
  familyCalls,
  getMetadata,
  linkUriOf,
  listSessions,
  listSpaceMembers,
  removeOrgMember,
  removeSpaceMember,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { sql } from 'kysely';
import { openDatabase } from '#/platform/db/database.ts';
import { type TestApp, type User, testApp } from '#/testing/app.ts';
import { testDatabase } from '#/testing/database.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

/** Milliseconds: far above the goal of 100, because the machine may be busy. The clock stands still, so that no wait lets a cached right expire. */
const soon = 5_000;

/** The clock stands still, so that no cache expires by time. */
const frozen = Math.floor(Date.now() / 1000);
const now = () => frozen;

/** What two instances share. */
const common = async () => ({
  SHEAF_DATABASE_URL: await testDatabase({ on: 'postgres' }),
  SHEAF_SECRET_KEY: randomBytes(32).toString('base64'),
});

type First = TestApp & Pick<Awaited<ReturnType<typeof orgApp>>, 'source'>;

/** A second instance on the same database, whose links lead to the same source. */
async function secondInstance(t: TestContext, { source }: First, settings: Readonly<Record<string, string>>) {
  const other = await testApp(t, { now, settings, findDefinition: async () => source.definition });
  return {
    ...other,
    /** The same browser, calling the second instance. */
    of(user: User) {
      const there = other.visitor();
      for (const [name, value] of user.cookies) there.cookies.set(name, value);
      return there;
    },
  };
}
type Second = Awaited<ReturnType<typeof secondInstance>>;

interface Cut {
  readonly isFinished: boolean;
  /** By `performance.now()`. */
  readonly at: number;
}

/** A file's path in the source, and in the link. */
interface Film {
  readonly stored: string;
  readonly shown: string;
}

/** Starts a slow download at the second instance; `cut` resolves when something ends it. */
async function download({ source }: First, { services }: Second, userId: string, userLinkId: string, { stored, shown }: Film) {
  source.put(stored, Buffer.alloc(8 << 20));
  source.setGate(async (operation, _path, part) => {
    if (operation === 'read' && part > 0) await sleep(5);
  });
  const { connector } = await services.access.open(userId, userLinkId);
  const body = await connector.read?.(shown, { signal: AbortSignal.timeout(60_000) });
  assert.ok(body);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: cut, resolve } = Promise.withResolvers<Cut>();
  const end = (isFinished: boolean): void => resolve({ isFinished, at: performance.now() });
  body
    .drain(() => {
      begin();
      return undefined;
    })
    .then(
      () => end(true),
      () => end(false),
    );
  await begun;
  return { cut };
}

/** Withdraws a right at the first instance; returns how the download at the second ended, and whether it ended in time. */
async function cutBy(t: TestContext, { cut }: Awaited<ReturnType<typeof download>>, withdraw: () => Promise<unknown>) {
  await withdraw();
  const answered = performance.now();
  const { isFinished, at } = await cut;
  t.diagnostic(`cut ${Math.round(at - answered)} ms after the answer`);
  return { isFinished, isSoon: at - answered < soon };
}

/** An organisation with a member who downloads from its link at another instance. */
async function memberDownloading(t: TestContext) {
  const settings = await common();
  const first = await orgApp(t, { now, settings, chunkSize: 64 });
  const { owner, org } = first;
  // Joining takes a mail, which either instance may send, each to an outbox of its own: the second one starts afterwards.
  const member = await first.join();
  const second = await secondInstance(t, first, settings);
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid: org.orgOid }));
  const running = await download(first, second, member.userId, userLinkId, { stored: '/film.mkv', shown: '/film.mkv' });
  return { settings, owner, org, member, second, userLinkId, running, film: linkUriOf(userLinkId, '/film.mkv') };
}

test('a member removed from an organisation at one instance is out at the other at once, downloads included', async (t) => {
  const { owner, org, member, second, running, film } = await memberDownloading(t);
  const there = second.of(member);
  await there.ask(getMetadata, { linkUri: film });
  const outcome = await cutBy(t, running, () => owner.ask(removeOrgMember, { orgOid: org.orgOid, memberId: member.membershipOid }));
  assert.deepEqual(outcome, { isFinished: false, isSoon: true });
  assert.equal((await there.refusal(getMetadata, { linkUri: film })).errorCode, 351);
});

test('a link unlinked at one instance ends its downloads at the other', async (t) => {
  const { owner, org, second, member, userLinkId, running, film } = await memberDownloading(t);
  const outcome = await cutBy(t, running, () => owner.ask(deleteOrgLink, { userLinkId, orgOid: org.orgOid }));
  assert.deepEqual(outcome, { isFinished: false, isSoon: true });
  assert.equal((await second.of(member).refusal(getMetadata, { linkUri: film })).errorCode, 351);
});

test('a right withdrawn while an instance cannot listen applies there as soon as it listens again', async (t) => {
  const { settings, member, running } = await memberDownloading(t);
  const { SHEAF_DATABASE_URL: databaseUrl } = settings;
  const name = new URL(databaseUrl).pathname.slice(1);
  const open = async (url: string) => {
    const database = await openDatabase({ databaseUrl: url, dataDir: '', onLostConnection: () => undefined });
    t.after(database.close);
    return database.db;
  };
  const outside = await open(await testDatabase({ on: 'postgres' }));
  const inside = await open(databaseUrl);
  await inside.selectFrom('account').select('id').execute();
  const listeners = sql`from pg_stat_activity where datname = ${name} and starts_with(query, 'listen sheaf_change')`;

  await sql`alter database ${sql.id(name)} with allow_connections false`.execute(outside);
  await sql`select pg_terminate_backend(pid) ${listeners}`.execute(outside);
  await eventually(async () => (await sql`select 1 ${listeners}`.execute(outside)).rows.length === 0, 'nobody listens');
  await inside.deleteFrom('org_member').where('accountId', '=', member.userId).execute();
  await sql`alter database ${sql.id(name)} with allow_connections true`.execute(outside);
  assert.equal((await running.cut).isFinished, false);
});

/** A Space with an editor who downloads from it at another instance. */
async function editorDownloading(t: TestContext) {
  const settings = { SHEAF_BILLING: 'off', ...(await common()) };
  const first = await spaceApp(t, { now, settings, chunkSize: 64 });
  const { user, space } = first;
  const noor = await first.signUp('noor@example.org');
  const { userLinkId } = await join(first, space, noor, 'editor');
  const second = await secondInstance(t, first, settings);
  const running = await download(first, second, noor.userId, userLinkId, { stored: '/projects/team/film.mkv', shown: '/film.mkv' });
  const { members } = await user.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  return { user, spaceOid: space.spaceOid, memberId, there: second.of(noor), userLinkId, running };
}

test('a member removed from a space at one instance is out at the other at once, downloads included', async (t) => {
  const { user, spaceOid, memberId, there, userLinkId, running } = await editorDownloading(t);
  const outcome = await cutBy(t, running, () => user.ask(removeSpaceMember, { spaceOid, memberId }));
  assert.deepEqual(outcome, { isFinished: false, isSoon: true });
  assert.equal((await there.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/film.mkv') })).errorCode, 351);
});

test('a role lowered at one instance applies at the other at once', async (t) => {
  const { user, spaceOid, memberId, there, userLinkId, running } = await editorDownloading(t);
  const folder = { parentLinkUri: linkUriOf(userLinkId, '/'), folderName: 'One', conflict: 'fail' } as const;
  await there.ask(addFolder, folder);
  const outcome = await cutBy(t, running, () => user.ask(changeSpaceMember, { spaceOid, memberId, role: 'viewer' }));
  assert.deepEqual(outcome, { isFinished: false, isSoon: true });
  assert.equal((await there.refusal(addFolder, folder)).messageCode, 'ROLE_FORBIDS');
});

test('a session ended at one instance opens nothing at the other', async (t) => {
  const settings = await common();
  const first = await orgApp(t, { now, settings });
  const second = await secondInstance(t, first, settings);
  const { owner } = first;
  const there = second.of(owner);
  const { sessions } = await there.ask(listSessions, {});
  const elsewhere = first.visitor();
  await elsewhere.ask(emailLogin, { email: owner.email, password: owner.password });
  const ended = performance.now();
  await elsewhere.ask(expireSessions, { sessionId: sessions.find(({ current }) => current)?.sessionId ?? '' });
  await eventually(async () => (await there.send(listSessions, {})).statusCode === 401, 'the session has ended', soon);
  t.diagnostic(`ended within ${Math.round(performance.now() - ended)} ms`);
});
