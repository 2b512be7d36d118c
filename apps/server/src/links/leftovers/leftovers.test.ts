import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createMemorySource } from '@sheaf/connectors/memory';
import { deleteLink } from '@sheaf/contract';
import { newId } from '#/platform/ids.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { type Open, createClearing } from './clearing.ts';
import { createNotes, lease } from './notes.ts';
import { createLeftoverStore } from './store.ts';

const hour = 3600;
const day = 24 * hour;

/** Two links of a user, and processes that share their database. */
async function setting(t: TestContext) {
  let time = 1_800_000_000;
  const now = () => time;
  const { services, user } = await linkApp(t, { now });
  const { db } = services.database;
  const store = createLeftoverStore(services.database);
  const [first, second] = [(await addSftp(user, 'One')).userLinkId, (await addSftp(user, 'Two')).userLinkId];
  const memory = await createMemorySource().definition.open(
    {},
    { dialer: { connect: never, upgrade: never }, remember: never, recall: never },
  );
  const cleared: string[] = [];
  const troubles: { readonly userLinkId: string; readonly isGivenUp: boolean }[] = [];
  const failing = new Set<string>();
  const open: Open = async (accountId, userLinkId) => {
    assert.equal(accountId, user.userId);
    return {
      connector: {
        ...memory,
        async clearUp(note) {
          if (failing.has(note)) throw new Error('no line');
          cleared.push(`${userLinkId === first ? 'One' : 'Two'} ${note}`);
        },
      },
    };
  };
  const start = () =>
    createNotes({ store, newId, now, later: services.background.start, onTrouble: (error) => assert.fail(String(error)) });
  const { clear, retry } = createClearing({
    store,
    open,
    notes: start(),
    now,
    onTrouble: (_error, userLinkId, isGivenUp) => troubles.push({ userLinkId, isGivenUp }),
  });
  return {
    db,
    store,
    user,
    first,
    second,
    troubles,
    failing,
    clear,
    retry: () => retry(first),
    /** Notes of a server process. */
    start,
    idle: () => services.background.idle(),
    pass: (seconds: number) => void (time += seconds),
    /** What was removed since the last call. */
    cleared: () => cleared.splice(0).sort(),
    rows: async () => (await db.selectFrom('leftover').select('note').orderBy('note').execute()).map(({ note }) => note),
  };
}
const never = () => Promise.reject(new Error('nobody asks'));

test('uploads begun by a dead process are cleaned up, those of a live one never', async (t) => {
  const { first, second, start, clear, cleared, pass, rows } = await setting(t);
  const [killed, alive] = [start(), start()];
  await Promise.all([killed.of(first).note('a').kept, killed.of(second).note('b').kept, alive.of(first).note('c').kept]);
  await clear();
  assert.deepEqual(cleared(), []);
  for (let minute = 0; minute * 60 <= lease; minute++) {
    pass(60);
    await alive.renew();
  }
  await clear();
  assert.deepEqual(cleared(), ['One a', 'Two b']);
  assert.deepEqual(await rows(), ['c']);
});

test('a finished upload leaves no note, and one that could not clean up is cleaned up at once', async (t) => {
  const { first, start, clear, cleared, idle, rows } = await setting(t);
  const process = start();
  const [whole, left, under] = ['whole', 'left', 'under way'].map((text) => process.of(first).note(text));
  whole?.gone();
  left?.stays();
  await Promise.all([whole?.kept, left?.kept, under?.kept]);
  await idle();
  await clear();
  assert.deepEqual(cleared(), ['One left']);
  await process.close();
  assert.deepEqual(await rows(), ['under way']);
  await clear();
  assert.deepEqual(cleared(), ['One under way'], 'a process that has ended in order leaves its notes to the next');
});

test('a leftover that cannot be removed is retried at growing intervals and given up after a month; other links do not wait for it', async (t) => {
  const { first, second, start, clear, cleared, failing, troubles, pass, rows } = await setting(t);
  const process = start();
  await Promise.all([process.of(first).note('stuck').kept, process.of(second).note('free').kept]);
  await process.close();
  failing.add('stuck');
  await clear();
  assert.deepEqual(cleared(), ['Two free']);
  assert.deepEqual(troubles, [{ userLinkId: first, isGivenUp: false }]);
  let tries = 1;
  for (let hours = 0; hours < 48; hours++) {
    pass(hour);
    await clear();
    if (troubles.length > tries) tries = troubles.length;
  }
  assert.ok(tries > 5 && tries < 20, `${tries} tries in two days`);
  pass(30 * day);
  await clear();
  assert.deepEqual(troubles.at(-1), { userLinkId: first, isGivenUp: true });
  assert.deepEqual(await rows(), []);
});

test('a leftover that failed repeatedly is removed as soon as the source is back, and only for that link', async (t) => {
  const { first, second, start, clear, retry, cleared, failing, pass } = await setting(t);
  const [former, alive] = [start(), start()];
  await Promise.all([former.of(first).note('stuck').kept, former.of(first).note('behind it').kept, former.of(second).note('other').kept]);
  await former.close();
  await alive.of(first).note('under way').kept;
  for (const note of ['stuck', 'behind it', 'other']) failing.add(note);
  for (let hours = 0; hours < 12; hours++) {
    await alive.renew();
    await clear();
    await alive.renew();
    pass(60);
  }
  for (const note of ['stuck', 'behind it']) failing.delete(note);
  await retry();
  assert.deepEqual(cleared(), ['One behind it', 'One stuck']);
  await retry();
  assert.deepEqual(cleared(), []);
});

test('of several processes one takes over a note', async (t) => {
  const { first, start, clear, cleared } = await setting(t);
  const process = start();
  await process.of(first).note('a').kept;
  await process.close();
  await Promise.all([clear(), clear(), clear()]);
  assert.deepEqual(cleared(), ['One a']);
});

test('unlinking a link deletes its notes', async (t) => {
  const { user, first, start, clear, cleared, rows } = await setting(t);
  const process = start();
  await process.of(first).note('a').kept;
  await user.ask(deleteLink, { userLinkId: first });
  await process.renew();
  await process.close();
  await clear();
  assert.deepEqual([cleared(), await rows()], [[], []]);
});

test('a process that lost its lease learns that another has taken over its note, and leaves the note to that one', async (t) => {
  const { first, start, clear, cleared, failing, idle, pass, rows } = await setting(t);
  const [slow, alive] = [start(), start()];
  const [taken, held] = [slow.of(first).note('taken'), alive.of(first).note('held')];
  await Promise.all([taken.kept, held.kept]);
  assert.deepEqual(await Promise.all([taken.hold(), held.hold()]), [true, true]);
  pass(lease);
  await alive.renew();
  failing.add('taken');
  await clear();
  assert.deepEqual(await Promise.all([taken.hold(), held.hold()]), [false, true]);
  // Neither renewing nor ending reclaims it.
  await slow.renew();
  taken.gone();
  await idle();
  assert.deepEqual(await rows(), ['held', 'taken']);
  failing.clear();
  pass(lease);
  await alive.renew();
  await clear();
  assert.deepEqual(cleared(), ['One taken']);
});

test('concurrent renewals do not mistake each other for another process', async (t) => {
  const { first, start, pass } = await setting(t);
  const process = start();
  const note = process.of(first).note('a');
  await note.kept;
  pass(60);
  const [one, , other] = await Promise.all([note.hold(), process.renew(), note.hold()]);
  assert.deepEqual([one, other], [true, true]);
});

test('where only one process uses the database, the leftovers of the previous one are due at once', async (t) => {
  const { store, first, start, clear, cleared } = await setting(t);
  const [killed, alive] = [start(), start()];
  await Promise.all([killed.of(first).note('of the former').kept, alive.of(first).note('of this one').kept]);
  await store.expireOthers(alive.held(), 1_800_000_000);
  await clear();
  assert.deepEqual(cleared(), ['One of the former']);
});
