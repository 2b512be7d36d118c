import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWeblink, limits, linkUriOf, tus } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { metadata, tusRequests } from '#/testing/tus.ts';

const hour = 3_600_000;
const idOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

async function setting(t: TestContext) {
  const linked = await linkApp(t);
  const { user, app } = linked;
  const { userLinkId } = await addSftp(user, 'Files');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const requests = tusRequests({ url, headers: () => ({ cookie, 'x-rtag': user.session.rTag }) });
  const root = linkUriOf(userLinkId, '/');
  const row = (id: string, more: { expiresAt: number; doneAt?: number; createdAt?: number }) => ({
    id,
    accountId: user.userId,
    parentLinkUri: root,
    name: id,
    conflict: 'fail' as const,
    size: 1,
    modified: null,
    metadata: '',
    session: null,
    parts: null,
    position: 0,
    run: 0,
    createdAt: 1,
    doneAt: null,
    weblinkId: null,
    visitor: null,
    ...more,
  });
  return { ...linked, ...requests, root, row };
}

test('one sweep removes all expired uploads, however many, also where one of them cannot be ended', async (t) => {
  const { services, row } = await setting(t);
  const { db } = services;
  const past = Date.now() - hour;
  // Nothing can be read of what is stored of it.
  const broken = { ...row('broken', { expiresAt: past }), session: 'sealed', parts: '{' };
  const expired = Array.from({ length: 450 }, (_, at) => row(`expired ${at}`, { expiresAt: past }));
  const finished = Array.from({ length: 450 }, (_, at) => row(`finished ${at}`, { expiresAt: past, doneAt: past }));
  const kept = row('kept', { expiresAt: Date.now() + hour });
  for (const rows of [[broken, kept], expired, finished]) await db.insertInto('upload').values(rows).execute();
  await assert.rejects(async () => services.sweeps.uploads());
  const left = await db.selectFrom('upload').select('id').orderBy('id').execute();
  assert.deepEqual(
    left.map(({ id }) => id),
    ['broken', 'kept'],
  );
});

test('an account has a bounded number of unfinished uploads, also by concurrent requests, and of finished ones', async (t) => {
  const { services, user, create, root, row } = await setting(t);
  const { db } = services;
  const expiresAt = Date.now() + hour;
  const fill = (count: number, of: (at: number) => ReturnType<typeof row>) =>
    db
      .insertInto('upload')
      .values(Array.from({ length: count }, (_, at) => of(at)))
      .execute();
  await fill(500, (at) => row(`finished ${at}`, { expiresAt, doneAt: 1 }));
  await fill(600, (at) => row(`more ${at}`, { expiresAt, doneAt: 1, createdAt: 2 }));
  await fill(limits.unfinishedUploads - 5, (at) => row(`unfinished ${at}`, { expiresAt }));
  const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => create(1, { parentLinkUri: root, name: `new ${at}` })));
  const refused = answers.filter(({ status }) => status === 429).length;
  assert.ok(refused > 0 && refused + answers.filter(({ status }) => status === 201).length === 60, `${refused} refused`);
  const counts = await db
    .selectFrom('upload')
    .select(({ fn, eb }) => [fn.countAll().as('all'), fn.sum(eb.case().when('doneAt', 'is', null).then(1).else(0).end()).as('unfinished')])
    .where('accountId', '=', user.userId)
    .executeTakeFirstOrThrow();
  // The requests beside each other may exceed the bound by their own number.
  const unfinished = Number(counts.unfinished);
  assert.ok(unfinished >= limits.unfinishedUploads && unfinished < limits.unfinishedUploads + 16, `${unfinished} unfinished`);
  assert.equal(Number(counts.all) - unfinished, limits.finishedUploads);
});

test('an account runs a bounded number of uploads in one process, and the others once there is room', async (t) => {
  const { create, patch, ask, root } = await setting(t);
  const begin = async (at: number): Promise<string> =>
    (await create(2, { parentLinkUri: root, name: `file ${at}` })).headers.get('location') ?? assert.fail('no Location');
  const locations = await Promise.all(Array.from({ length: limits.runningUploads + 1 }, (_, at) => begin(at)));
  const last = locations.at(-1) ?? '';
  for (const location of locations.slice(0, -1)) assert.equal((await patch(location, 0, 'a')).status, 204);
  assert.equal((await patch(last, 0, 'a')).status, 429);
  assert.equal((await ask('DELETE', locations[0] ?? '')).status, 204);
  assert.equal((await patch(last, 0, 'a')).status, 204);
});

test('visitors of one network take only some of the places of a share, so that those of others find one', async (t) => {
  const { user, root, services } = await setting(t);
  const weblinkId = idOf((await user.ask(createWeblink, { linkUri: root, uploadOnly: true })).sharelinkurl);
  const signal = AbortSignal.timeout(60_000);
  const of = (visitor: string) => ({ userId: user.userId, share: { weblinkId, visitor, parentLinkUri: root } });
  const begin = async (visitor: string, name: string): Promise<string> =>
    (
      await services.uploads.create(
        of(visitor),
        { parentLinkUri: root, name, conflict: 'rename', size: 2, metadata: metadata({ name }) },
        signal,
      )
    ).uploadId;
  const append = async (visitor: string, id: string) =>
    (await services.uploads.append(of(visitor), id, 0, Readable.from([Buffer.from('a')]), signal)).position;
  for (let at = 0; at < limits.visitorsRunningUploads; at++) assert.equal(await append('first', await begin('first', `file ${at}`)), 1);
  const one = await begin('first', 'one more');
  await assert.rejects(append('first', one), { messageCode: 'TOO_MANY_CALLS' });
  assert.equal(await append('second', await begin('second', 'another')), 1);
});

test('requests with a checksum are held in memory: a few of an account at a time, and only for its own uploads', async (t) => {
  const { create, patch, root, services, user } = await setting(t);
  const begin = async (name: string): Promise<string> =>
    (await create(3, { parentLinkUri: root, name })).headers.get('location') ?? assert.fail('no Location');
  const sum = (text: string) => ({ 'upload-checksum': `sha1 ${createHash('sha1').update(text).digest('base64')}` });
  // A wrong checksum is noticed once the bytes are read.
  assert.equal((await patch(`${tus.path}/nobody`, 0, 'abc', sum('other'))).status, 404);
  const location = await begin('file');
  const id = location.split('/').at(-1) ?? '';
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const signal = AbortSignal.timeout(60_000);
  let holding = 0;
  const hold = () => (holding++, held);
  const others = Array.from({ length: limits.checkedUploads }, () => services.uploads.holding({ userId: user.userId }, id, signal, hold));
  await eventually(async () => holding === limits.checkedUploads, 'all places are taken');
  let isAnswered = false;
  const next = patch(location, 0, 'abc', sum('abc')).finally(() => (isAnswered = true));
  await sleep(300);
  assert.equal(isAnswered, false);
  release();
  assert.equal((await next).status, 204);
  await Promise.all(others);
});

test('requests of one network into a share wait for each other, so that those of others find a place', async (t) => {
  const { user, root, services } = await setting(t);
  const weblinkId = idOf((await user.ask(createWeblink, { linkUri: root, uploadOnly: true })).sharelinkurl);
  const signal = AbortSignal.timeout(60_000);
  const of = (visitor: string) => ({ userId: user.userId, share: { weblinkId, visitor, parentLinkUri: root } });
  const upload = (visitor: string) => ({
    parentLinkUri: root,
    name: visitor,
    conflict: 'rename' as const,
    size: 2,
    metadata: metadata({ name: visitor }),
  });
  const visitors = Array.from({ length: limits.checkedUploads }, (_, at) => `network ${at}`);
  const ids = await Promise.all(visitors.map((visitor) => services.uploads.create(of(visitor), upload(visitor), signal)));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const inside: string[] = [];
  const requests = visitors.flatMap((visitor, at) =>
    Array.from({ length: limits.checkedUploads }, () =>
      services.uploads.holding(of(visitor), ids[at]?.uploadId ?? '', signal, async () => {
        inside.push(visitor);
        await held;
      }),
    ),
  );
  await eventually(async () => inside.length === limits.checkedUploads, 'each network has a place');
  assert.deepEqual(inside.toSorted(), visitors);
  release();
  await Promise.all(requests);
});
