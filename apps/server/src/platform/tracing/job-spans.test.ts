import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@sheaf/testbed';
import { Type } from 'typebox';
import { PermanentFailure, defineJob, localMark } from '#/platform/jobs/job.ts';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { startOtlpReceiver } from '#/testing/otlp/receiver.ts';
import { createOtlp } from './otlp.ts';

const payload = Type.Object({ text: Type.String() });

test('each run of a job is a trace of its own with kind and outcome; a failing one is marked, and its log line has the trace', async (t) => {
  const receiver = await startOtlpReceiver();
  const tracing = createOtlp({ url: receiver.url, headers: {}, log: createLog('silent') });
  const setting = await jobSetting(t);
  t.after(() => tracing.close().finally(() => receiver.stop()));
  const call = () => tracing.begin({ subject: 'source', name: 'a call', facts: {} }).end({ facts: {}, hasFailed: false });
  const jobs = await setting.instance(
    [
      defineJob({
        kind: 'test.broken',
        payload,
        async run() {
          await sleep(5);
          call();
          throw new PermanentFailure('planted in the message');
        },
      }),
      defineJob({ kind: `test.whole${localMark}folder`, payload, run: async () => undefined }),
    ],
    { tracing },
  );
  await jobs.start({ isAlone: true });
  // The runner has to be waiting, so that it is the request that wakes it.
  await sleep(200);
  const request = tracing.begin({ subject: 'request', name: 'the request', facts: {} });
  const [broken, whole] = await request.within(() =>
    jobs.enqueue(
      { kind: 'test.broken', payload: { text: 'planted in the payload' } },
      { kind: `test.whole${localMark}folder`, payload: { text: 'x' } },
    ),
  );
  request.end({ facts: {}, hasFailed: false });
  assert.ok(broken && whole);
  await eventually(
    async () => (await jobs.find(broken))?.state === 'dead' && (await jobs.find(whole))?.state === 'done',
    'both have ended',
  );
  await tracing.close();

  const find = (name: string) => {
    const span = receiver.spans.find((one) => one.name === name);
    assert.ok(span, name);
    return span;
  };
  const failing = find('job test.broken');
  assert.deepEqual(failing.facts, {
    'sheaf.job.kind': 'test.broken',
    'sheaf.job.id': broken.id,
    'sheaf.job.attempt': 1,
    'sheaf.outcome': 'dead',
  });
  assert.deepEqual([failing.parentId, failing.hasFailed], ['', true]);
  assert.notEqual(failing.traceId, find('the request').traceId);
  assert.deepEqual([find('a call').traceId, find('a call').parentId], [failing.traceId, failing.spanId]);
  const done = find('job test.whole');
  assert.deepEqual([done.facts['sheaf.outcome'], done.hasFailed, done.parentId], ['done', false, '']);
  const lines = setting.log().split('\n');
  assert.ok(lines.some((line) => line.includes('"a job failed"') && line.includes(failing.traceId)));
  assert.ok(receiver.messages.every(({ body }) => !body.includes('planted')));
  const runs = receiver.points.filter(({ metric }) => metric === 'sheaf.job.run.duration');
  assert.deepEqual(new Set(runs.map(({ facts }) => facts['sheaf.outcome'])), new Set(['dead', 'done']));
  const dead = receiver.points.find(({ metric, facts }) => metric === 'sheaf.jobs' && facts['sheaf.job.state'] === 'dead');
  assert.deepEqual([dead?.facts['sheaf.job.kind'], dead?.value], ['test.broken', 1]);
});
