import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyObjects, linkUriOf, listTransfers, remoteUpdate, setTransferBandwidth, transferBandwidth } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

const statesOf = async (user: User): Promise<string[]> =>
  (await user.ask(listTransfers, { offset: 0, limit: 100 })).transfers.map(({ state }) => state);

/** Begins to copy the file between two links of the user. */
async function copying(user: User) {
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  return {
    one,
    copy: (path: string, target: string) =>
      user.ask(copyObjects, { linkUri: [linkUriOf(one, path)], parentLinkUri: linkUriOf(other, target), conflict: 'fail' }),
  };
}

test('the transfers of an account share its limit, and a change applies to running ones at once', async (t) => {
  const { user, source } = await linkApp(t, { chunkSize: 4096 });
  const { copy } = await copying(user);
  for (const name of ['a', 'b']) source.put(`/from/${name}`, Buffer.alloc(256 * 1024));
  source.put('/to/x', 'x');
  assert.deepEqual(await user.ask(transferBandwidth, {}), { timetable: '', timezone: 'UTC' });
  await user.ask(setTransferBandwidth, { timetable: '4k', timezone: 'Europe/Berlin' });
  const begun = new Set<string>();
  source.setGate((operation, path, part) => {
    if (operation === 'read' && part > 0) begun.add(path);
  });
  await copy('/from/a', '/to');
  await copy('/from/b', '/to');
  // At 4 KiB a second both together would take two minutes.
  await eventually(async () => begun.size > 0 && (await statesOf(user)).every((state) => state === 'running'), 'both are under way');
  await user.ask(setTransferBandwidth, { timetable: 'off', timezone: 'UTC' });
  await eventually(async () => (await statesOf(user)).every((state) => state === 'done'), 'both are done');
});

test('an invalid timetable or time zone is refused', async (t) => {
  const { user } = await linkApp(t);
  const refused = async (timetable: string, timezone: string) =>
    (await user.refusal(setTransferBandwidth, { timetable, timezone })).details;
  assert.deepEqual(await refused('fast', 'UTC'), { field: 'timetable' });
  assert.deepEqual(await refused('512k', 'Mars'), { field: 'timezone' });
});

test('many transfers of one account delay neither those of another nor its own browsing', async (t) => {
  const { user, source, signUp } = await linkApp(t);
  const [many, single] = [await copying(user), await signUp()];
  const few = await copying(single);
  for (let number = 0; number < 20; number += 1) source.put(`/held/${number}`, 'x');
  source.put('/free', 'x');
  source.put('/to/x', 'x');
  source.put('/there/x', 'x');
  const held = Promise.withResolvers<void>();
  source.setGate(async (operation, path) => {
    if (operation === 'read' && path.startsWith('/held/')) await held.promise;
  });
  for (let number = 0; number < 20; number += 1) await many.copy(`/held/${number}`, '/to');
  await eventually(async () => (await statesOf(user)).filter((state) => state === 'running').length === 3, 'three run');
  await few.copy('/free', '/there');
  await eventually(async () => (await statesOf(single))[0] === 'done', 'the other account is served');
  const { items } = await user.ask(remoteUpdate, {
    linkUri: linkUriOf(many.one, '/to'),
    sort: 'name',
    order: 'asc',
    fresh: true,
    refresh: true,
    limit: 25,
  });
  assert.deepEqual(
    items.map(({ name }) => name),
    ['x'],
  );
  assert.equal((await statesOf(user)).filter((state) => state === 'planning').length, 17);
  held.resolve();
  await eventually(async () => (await statesOf(user)).every((state) => state === 'done'), 'all are done');
});
