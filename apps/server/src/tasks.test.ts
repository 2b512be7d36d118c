import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { followChanges } from './platform/db/changes.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import { jobSetting } from './platform/jobs/testing/jobs.ts';
import { backgroundTasks } from './tasks.ts';
import { testApp } from './testing/app.ts';
import { testDatabase } from './testing/database.ts';

test('a failing task is reported with its reason and blocks no other; a slow source delays no other link', async (t) => {
  const setting = await jobSetting(t);
  const ran: string[] = [];
  const slow = Promise.withResolvers<void>();
  const nothing = { sweep: async () => undefined };
  const handlers = backgroundTasks({
    leftovers: {
      dueLinks: async () => [
        { linkId: 'slow', key: 'a 1' },
        { linkId: 'fast', key: 'b 1' },
      ],
      clear: async (linkId) => {
        ran.push(linkId);
        if (linkId === 'slow') await slow.promise;
      },
    },
    closings: { sweep: async () => [new Error('no answer')] },
    subscriptions: { settle: async () => [] },
    notices: { send: () => Promise.reject(new Error('no mail')) },
    handoffs: nothing,
    authorizations: nothing,
    orgInvitations: nothing,
    spaces: nothing,
    throttle: nothing,
    reseal: () => Promise.reject(new Error('no key')),
    handlers: [],
    sweeps: {
      broken: () => Promise.reject(new Error('no table')),
      whole: async () => void ran.push('whole'),
    },
    enqueue: (...requests) => jobs.enqueue(...requests),
  });
  const jobs: Jobs = await setting.instance(handlers);
  await jobs.start({ isAlone: true });
  for (const kind of ['accounts.close', 'notices.send', 'sweep.broken', 'sweep.whole']) await jobs.runNow(kind);
  await eventually(async () => (await jobs.failing(9)).length === 4 && ran.length >= 3, 'all have run');
  assert.deepEqual((await jobs.failing(9)).map(({ kind, reason }) => `${kind}: ${reason}`).toSorted(), [
    'accounts.close: Error: no answer',
    'notices.send: Error: no mail',
    'secrets.reseal: Error: no key',
    'sweep.broken: Error: no table',
  ]);
  assert.deepEqual(ran.toSorted(), ['fast', 'slow', 'whole']);
  await jobs.runNow('leftovers.find');
  slow.resolve();
  await jobs.stop();
  assert.deepEqual(ran.toSorted(), ['fast', 'slow', 'whole'], 'what is under way is not begun again');
});

test('on Postgres, a job enqueued by one instance wakes the others', async (t) => {
  const databaseUrl = await testDatabase({ on: 'postgres' });
  const { services } = await testApp(t, { settings: { SHEAF_DATABASE_URL: databaseUrl } });
  await services.background.idle();
  const woken = new EventTarget();
  const heard = once(woken, 'job');
  const following = await followChanges({
    databaseUrl,
    onChange: () => undefined,
    onFolders: () => undefined,
    onJob: () => void woken.dispatchEvent(new Event('job')),
    onGap: () => undefined,
    onTrouble: (error) => assert.fail(error),
  });
  t.after(() => following.close());
  await services.jobs.enqueue({ scope: 'none', kind: 'leftovers.clear', payload: {} });
  await heard;
});
