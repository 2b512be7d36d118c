import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFolder, deleteLink, linkRooms, linkUriOf, listArrivals, remoteUpdate } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { TestApp, User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

async function look({ services }: Pick<TestApp, 'services'>, user: User, linkUri: string): Promise<void> {
  await user.ask(remoteUpdate, { linkUri, fresh: true, refresh: true, sort: 'name', order: 'asc', limit: 50 });
  await services.listings.idle();
  await services.background.idle();
}

test('room is answered at once from the last report, asked for again after a while, and kept while the source is down', async (t) => {
  let time = 1_800_000_000;
  const usage = { used: 40, total: 100 };
  let asked = 0;
  const app = await linkApp(t, {
    now: () => time,
    changed: (connector) => ({
      ...connector,
      usage: async (ask) => {
        asked++;
        for await (const _ of connector.list('/', ask));
        return { ...usage };
      },
    }),
  });
  const { user, refuse } = app;
  const [{ userLinkId: nas }, { userLinkId: gone }] = [await addSftp(user, 'NAS'), await addSftp(user, 'Old')];
  assert.deepEqual(await user.ask(linkRooms, {}), { rooms: [], isAsking: true });
  await eventually(async () => !(await user.ask(linkRooms, {})).isAsking, 'the sources have answered');
  const { rooms } = await user.ask(linkRooms, {});
  assert.deepEqual(
    rooms.find(({ userLinkId }) => userLinkId === nas),
    { userLinkId: nas, used: 40, total: 100, at: time },
  );
  assert.deepEqual([rooms.length, asked], [2, 2]);
  await user.ask(deleteLink, { userLinkId: gone });

  usage.used = 60;
  refuse('unreachable');
  time += 901;
  await user.ask(linkRooms, {});
  await eventually(async () => !(await user.ask(linkRooms, {})).isAsking, 'the source has refused');
  assert.equal((await user.ask(linkRooms, {})).rooms[0]?.used, 40);
  refuse();
  time += 901;
  await user.ask(linkRooms, {});
  await eventually(async () => (await user.ask(linkRooms, {})).rooms[0]?.used === 60, 'the new answer is told');
  assert.deepEqual(await (await app.signUp()).ask(linkRooms, {}), { rooms: [], isAsking: false });
});

test('a source that tells no room is not asked at every visit', async (t) => {
  const { user } = await linkApp(t, { now: () => 1_800_000_000 });
  await addSftp(user, 'NAS');
  await eventually(async () => !(await user.ask(linkRooms, {})).isAsking, 'the source was asked');
  assert.deepEqual(await user.ask(linkRooms, {}), { rooms: [], isAsking: false });
});

test('what others put into a known folder arrives; what was there before, or came through Sheaf, does not', async (t) => {
  const app = await linkApp(t, { now: () => 1_800_000_000 });
  const { user, source } = app;
  source.put('/inbox/first.txt', 'old');
  const { userLinkId } = await addSftp(user, 'NAS');
  const inbox = linkUriOf(userLinkId, '/inbox');
  await look(app, user, linkUriOf(userLinkId, '/'));
  await look(app, user, inbox);
  await user.ask(addFolder, { parentLinkUri: inbox, folderName: 'mine', conflict: 'fail' });
  await look(app, user, inbox);
  const arrivals = async (of = user) => (await of.ask(listArrivals, { limit: 5 })).arrivals;
  assert.deepEqual(await arrivals(), []);

  source.put('/inbox/scan.pdf', 'new');
  await look(app, user, inbox);
  source.put('/inbox/one.jpg', '1');
  source.put('/inbox/two.jpg', '2');
  await look(app, user, inbox);
  const [pair, scan] = await arrivals();
  assert.deepEqual([pair?.count, pair?.linkUri, pair?.isFolder, pair?.folder], [2, inbox, true, ['NAS', 'inbox']]);
  assert.deepEqual(
    [scan?.count, scan?.name, scan?.linkUri, scan?.isFolder],
    [1, 'scan.pdf', linkUriOf(userLinkId, '/inbox/scan.pdf'), false],
  );
  assert.deepEqual(await arrivals(await app.signUp()), []);
  for (let number = 0; number < 21; number++) {
    source.put(`/inbox/${number}.txt`, 'x');
    await look(app, user, inbox);
  }
  const { length } = await app.services.database.db.selectFrom('link_arrival').selectAll().execute();
  assert.equal(length, 20, 'each link keeps a few');
  await user.ask(deleteLink, { userLinkId });
  assert.deepEqual(await app.services.database.db.selectFrom('link_arrival').selectAll().execute(), []);
});

test('a member of a Space hears of arrivals in its folder only', async (t) => {
  const app = await spaceApp(t);
  const { user: owner, storageId, source } = app;
  const member = await app.signUp();
  await join(app, app.space, member, 'viewer');
  for (const path of ['/projects', '/projects/team']) await look(app, owner, linkUriOf(storageId, path));
  source.put('/projects/team/new.txt', 'x');
  source.put('/projects/private.txt', 'x');
  for (const path of ['/projects', '/projects/team']) await look(app, owner, linkUriOf(storageId, path));
  const { arrivals } = await member.ask(listArrivals, { limit: 5 });
  assert.deepEqual(
    arrivals.map(({ name, folder, count }) => [name, folder, count]),
    [['new.txt', ['Team'], 1]],
  );
});
