import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type InputOf,
  type Schedule,
  createSchedule,
  deleteSchedule,
  linkUriOf,
  listSchedules,
  listTransfers,
  pauseSchedule,
  runSchedule,
  scheduleTimes,
  updateSchedule,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { mailsTo } from '#/testing/outbox.ts';
import { schedulesKind } from './runs.ts';

type Wish = Omit<InputOf<typeof createSchedule>, 'rTag'>;

/** A user with Premium, `/from` to back up into `/to`, and a hand on the clock of schedules. */
async function setting(t: TestContext) {
  const app = await linkApp(t);
  const { user, source, services } = app;
  const { userLinkId } = await addSftp(user, 'One');
  await services.subscriptions.startTrial({ payerId: user.userId, actorId: user.userId, product: 'premium', units: 1 });
  for (const name of ['a', 'b', 'c']) source.put(`/from/${name}`, name);
  source.put('/to/beside', 'x');
  const wish: Wish = {
    kind: 'mirror',
    linkUri: [linkUriOf(userLinkId, '/from')],
    parentLinkUri: linkUriOf(userLinkId, '/to'),
    conflict: 'fail',
    name: 'Nightly',
    cron: '30 2 * * *',
    timezone: 'Europe/Berlin',
  };
  const only = async (): Promise<Schedule> => {
    const { schedules } = await user.ask(listSchedules, {});
    assert.equal(schedules.length, 1);
    return schedules[0] as Schedule;
  };
  const setDue = (ago: number) =>
    services.db
      .updateTable('schedule')
      .set({ nextRunAt: Date.now() - ago })
      .execute();
  const resulted = (result: Schedule['lastResult']) =>
    eventually(async () => (await only()).lastResult === result, `the last run is ${result}`);
  const look = () => services.jobs.runNow(schedulesKind);
  const transfers = async () => (await user.ask(listTransfers, { offset: 0, limit: 25 })).transfers;
  return { app, user, source, services, wish, only, setDue, resulted, look, transfers };
}

test('a schedule shows its next run by the clocks of its zone, and runs when it is due', async (t) => {
  const { user, wish, only, setDue, resulted, look, source, transfers } = await setting(t);
  const made = await user.ask(createSchedule, wish);
  assert.match(new Date(made.nextRun).toISOString(), /T0[01]:30:00/);
  assert.deepEqual([made.from.map(({ path }) => path), made.to.path, made.lastResult], [['One/from'], 'One/to', undefined]);
  await setDue(1000);
  await look();
  await resulted('done');
  const { nextRun, lastTransferId, missedRun } = await only();
  assert.ok(nextRun > Date.now());
  assert.equal(missedRun, undefined);
  const [transfer] = await transfers();
  assert.deepEqual([transfer?.transferId, transfer?.scheduleId, transfer?.kind], [lastTransferId, made.scheduleId, 'mirror']);
  source.put('/from/a', 'newer');
  await user.ask(runSchedule, { scheduleId: made.scheduleId });
  await eventually(async () => (await only()).lastResult === 'done' && (await transfers()).length === 2, 'it has run again');
  assert.equal((await only()).nextRun, nextRun);
});

test('a taken name is refused with 427, and so are times that never come and unknown zones [ERR-25]', async (t) => {
  const { user, wish } = await setting(t);
  const { scheduleId } = await user.ask(createSchedule, wish);
  const taken = await user.refusal(createSchedule, { ...wish, name: 'nightly' });
  assert.deepEqual([taken.errorCode, taken.message], [427, 'You already have a backup named nightly. Please enter a different name.']);
  for (const cron of ['0 0 31 2 *', 'often', '* * * * * *'])
    assert.deepEqual((await user.refusal(updateSchedule, { ...wish, scheduleId, cron })).details, { field: 'cron' });
  assert.deepEqual((await user.refusal(updateSchedule, { ...wish, scheduleId, timezone: 'Mars' })).details, { field: 'timezone' });
  const changed = await user.ask(updateSchedule, { ...wish, scheduleId, name: 'Hourly', cron: '0 * * * *' });
  assert.deepEqual([changed.name, changed.cron], ['Hourly', '0 * * * *']);
  await user.ask(deleteSchedule, { scheduleId });
  assert.equal((await user.refusal(runSchedule, { scheduleId })).messageCode, 'SCHEDULE_GONE');
  await user.ask(createSchedule, wish);
});

test('a backup needs Premium or its trial (116), and a schedule is its account’s own', async (t) => {
  const { app, user, wish } = await setting(t);
  const { scheduleId } = await user.ask(createSchedule, wish);
  const stranger = await app.signUp();
  assert.equal((await stranger.refusal(createSchedule, wish)).errorCode, 116);
  assert.equal((await stranger.refusal(createSchedule, { ...wish, kind: 'copy' })).messageCode, 'INVALID_LINK_URI');
  assert.equal((await stranger.refusal(runSchedule, { scheduleId })).messageCode, 'SCHEDULE_GONE');
});

test('two instances never run a schedule twice at once', async (t) => {
  const { app, user, source, services, wish, setDue, only, resulted, transfers, look } = await setting(t);
  const second = await app.secondInstance({ findDefinition: async () => source.definition });
  const { scheduleId } = await user.ask(createSchedule, wish);
  const held = Promise.withResolvers<void>();
  source.setGate(async (operation) => {
    if (operation === 'list') await held.promise;
  });
  await setDue(1000);
  await Promise.all(
    [services, second].flatMap(({ jobs, schedules }) => [
      jobs.runNow(schedulesKind),
      schedules
        .runNow(user.userId, scheduleId)
        .catch((error: { messageCode?: string }) => assert.equal(error.messageCode, 'SCHEDULE_RUNNING')),
    ]),
  );
  await eventually(async () => (await only()).lastResult === 'running', 'one runs');
  assert.equal((await user.refusal(runSchedule, { scheduleId })).messageCode, 'SCHEDULE_RUNNING');
  await setDue(1000);
  await eventually(async () => {
    // A check that runs already may have read the schedules before they were due.
    await look();
    return (await only()).nextRun > Date.now();
  }, 'the next time is known');
  assert.equal((await transfers()).length, 1);
  assert.ok((await only()).missedRun !== undefined, 'the time that was left out is told');
  held.resolve();
  await resulted('done');
});

test('a missed run is made up once and reported by mail', async (t) => {
  const { app, user, wish, setDue, resulted, look, only, transfers } = await setting(t);
  await user.ask(createSchedule, { ...wish, cron: '0 * * * *' });
  await setDue(5 * 3_600_000);
  await look();
  await resulted('done');
  assert.equal((await transfers()).length, 1);
  assert.ok(((await only()).missedRun ?? 0) < Date.now() - 4 * 3_600_000);
  await eventually(async () => (await mailsTo(app, user.email)).some((mail) => mail.includes('did not run in time')), 'the mail is there');
  await look();
  assert.equal((await transfers()).length, 1);
});

test('a run whose process died before its transfer was created is created by the next check, as one transfer', async (t) => {
  const { services, user, wish, look, only, resulted, transfers } = await setting(t);
  await user.ask(createSchedule, wish);
  await services.db.updateTable('schedule').set({ pendingTransferId: 'claimed' }).execute();
  await look();
  await resulted('done');
  assert.deepEqual([(await only()).lastTransferId, (await transfers()).length], ['claimed', 1]);
});

test('a failure and a stop by the deletion limit are mailed once a day, and a new run replaces the plan that asked', async (t) => {
  const { app, user, source, wish, resulted, only, look, setDue, transfers } = await setting(t);
  const { scheduleId } = await user.ask(createSchedule, wish);
  await user.ask(runSchedule, { scheduleId });
  await resulted('done');
  (source.root.children.get('from') as { readonly children: Map<string, unknown> }).children.clear();
  for (const run of [1, 2]) {
    await setDue(1000);
    await look();
    await eventually(async () => (await transfers()).length === run + 1, 'it has started');
    await resulted('asks');
    await look();
  }
  assert.equal((await only()).error?.messageCode, 'MIRROR_SOURCE_EMPTY');
  assert.deepEqual(
    (await transfers()).map(({ state }) => state),
    ['planned', 'canceled', 'done'],
  );
  const asking = async () => (await mailsTo(app, user.email)).filter((mail) => mail.includes('needs a decision'));
  await eventually(async () => (await asking()).length > 0, 'the mail is there');
  assert.equal((await asking()).length, 1);
  source.put('/from/a', 'a');
  source.put('/from/b', 'b');
  await user.ask(runSchedule, { scheduleId });
  await resulted('done');
});

test('earlier runs keep what they changed, not the files that were unchanged', async (t) => {
  const { user, source, services, wish, resulted, look, transfers } = await setting(t);
  const { scheduleId } = await user.ask(createSchedule, wish);
  for (const run of [1, 2, 3]) {
    source.put('/from/a', `a${'!'.repeat(run)}`);
    await user.ask(runSchedule, { scheduleId });
    await eventually(async () => (await transfers()).length === run, 'it has started');
    await resulted('done');
  }
  await look();
  const unchanged = () => services.db.selectFrom('transferItem').select('transferId').where('reason', '=', 'unchanged').execute();
  await eventually(async () => new Set((await unchanged()).map(({ transferId }) => transferId)).size === 1, 'only the last run has them');
  const [last] = await transfers();
  assert.deepEqual(new Set((await unchanged()).map(({ transferId }) => transferId)), new Set([last?.transferId]));
});

test('a paused schedule does not run by itself, and goes on with its next time', async (t) => {
  const { user, wish, setDue, look, only, resulted, transfers } = await setting(t);
  const { scheduleId, isPaused } = await user.ask(createSchedule, wish);
  assert.equal(isPaused, false);
  assert.equal((await user.ask(pauseSchedule, { scheduleId, isPaused: true })).isPaused, true);
  await setDue(5 * 3_600_000);
  await look();
  assert.equal((await transfers()).length, 0);
  const resumed = await user.ask(pauseSchedule, { scheduleId, isPaused: false });
  assert.equal(resumed.isPaused, false);
  assert.ok(resumed.nextRun > Date.now());
  await look();
  assert.deepEqual([(await transfers()).length, (await only()).missedRun], [0, undefined]);
  await setDue(1000);
  await eventually(async () => {
    // The check from before may still run, and have read the schedules before this one was due.
    await look();
    return (await transfers()).length === 1;
  }, 'it runs by itself again');
  await resulted('done');
});

test('a run without Premium is not done, and the screen and a mail say why', async (t) => {
  const { app, user, services, wish, setDue, look, only, resulted, transfers } = await setting(t);
  const { scheduleId } = await user.ask(createSchedule, wish);
  await services.db.updateTable('subscription').set({ endsAt: 1 }).execute();
  await setDue(1000);
  await look();
  await resulted('failed');
  const { error, nextRun } = await only();
  assert.deepEqual([error?.messageCode, (await transfers()).length], ['NO_BACKUP_SUBSCRIPTION', 0]);
  assert.ok(nextRun > Date.now());
  await eventually(
    async () => (await mailsTo(app, user.email)).some((mail) => mail.includes('You need a Backup subscription')),
    'the mail is there',
  );
  assert.equal((await user.refusal(runSchedule, { scheduleId })).errorCode, 116);
});

test('the next five times of a schedule are told before it is made', async (t) => {
  const { user } = await setting(t);
  const { times } = await user.ask(scheduleTimes, { cron: '15 9 * * 1', timezone: 'Europe/Berlin' });
  assert.equal(times.length, 5);
  const shown = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', weekday: 'long', hour: '2-digit', minute: '2-digit' });
  for (const time of times) assert.match(shown.format(time), /^Monday.*09:15$/);
  assert.deepEqual((await user.refusal(scheduleTimes, { cron: '0 0 31 2 *', timezone: 'UTC' })).details, { field: 'cron' });
});

test('kept files are removed after the runs and days that the schedule says, and nothing else', async (t) => {
  const { user, source, services, wish, resulted, look, transfers } = await setting(t);
  const { scheduleId } = await user.ask(createSchedule, { ...wish, versionRuns: 1 });
  source.put('/to/.sheaf-versions/2001-01-01T00-00-00/from/a', 'not of this schedule');
  const kept = (): string[] => {
    const found: string[] = [];
    const walk = (node: unknown): void => {
      const { children, bytes } = node as { readonly children?: ReadonlyMap<string, unknown>; readonly bytes?: Buffer };
      if (bytes) found.push(bytes.toString());
      for (const child of children?.values() ?? []) walk(child);
    };
    const to = source.root.children.get('to') as { readonly children: ReadonlyMap<string, unknown> };
    walk(to.children.get('.sheaf-versions'));
    return found.toSorted();
  };
  for (const run of [1, 2, 3]) {
    source.put('/from/a', 'a'.repeat(run));
    await user.ask(runSchedule, { scheduleId });
    await eventually(async () => (await transfers()).length === run, 'it has started');
    await resulted('done');
  }
  await look();
  await eventually(() => !kept().includes('a'), 'the version of the second run is removed');
  assert.deepEqual(kept(), ['aa', 'not of this schedule']);
  await user.ask(updateSchedule, { ...wish, scheduleId, versionDays: 2 });
  await services.db
    .updateTable('transfer')
    .set({ endedAt: Date.now() - 3 * 86_400_000 })
    .execute();
  await services.sweeps['transfers']?.();
  await eventually(() => !kept().includes('aa'), 'the version that is too old is removed');
  assert.deepEqual(kept(), ['not of this schedule']);
});

test('an account has a bounded number of schedules, also when many are made at once', async (t) => {
  const { user, wish } = await setting(t);
  const make = (index: number) => user.send(createSchedule, { ...wish, kind: 'copy', name: `Number ${index}` });
  for (let index = 0; index < 95; index++) assert.equal((await make(index)).statusCode, 200);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => make(100 + index)));
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 5);
  assert.equal((await user.refusal(createSchedule, { ...wish, name: 'One more' })).messageCode, 'TOO_MANY_SCHEDULES');
  const { schedules } = await user.ask(listSchedules, {});
  assert.equal(schedules.length, 100);
  await user.ask(deleteSchedule, { scheduleId: schedules[0]?.scheduleId ?? '' });
  assert.equal((await make(200)).statusCode, 200);
});
