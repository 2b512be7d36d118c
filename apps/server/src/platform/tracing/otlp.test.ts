import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually, freePort } from '@sheaf/testbed';
import { createLog } from '#/platform/log.ts';
import { startOtlpReceiver } from '#/testing/otlp/receiver.ts';
import { createDelivery } from './delivery.ts';
import { createOtlp } from './otlp.ts';
import { remoteOf } from './traceparent.ts';
import type { Tracing } from './tracing.ts';

interface Place {
  readonly port?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function setting(t: TestContext, { port, headers = {} }: Place = {}) {
  const receiver = port === undefined ? await startOtlpReceiver() : undefined;
  let written = '';
  const log = createLog('info', { write: (line: string) => void (written += line) });
  const url = receiver?.url ?? `http://127.0.0.1:${port}`;
  const tracing = createOtlp({ url, headers, log, spansEvery: 20, metricsEvery: 50, sendFor: 900 });
  t.after(() => tracing.close().finally(() => receiver?.stop()));
  const lines = () =>
    written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { what: string; msg: string });
  return { tracing, receiver: receiver as NonNullable<typeof receiver>, lines };
}

const begin = (tracing: Tracing, name: string) => tracing.begin({ subject: 'source', name, facts: { kind: 'a' } });
const end = { facts: { 'sheaf.outcome': 'ok' }, hasFailed: false };

test('spans are children of the work in which they begin, across waits, and of no other', async (t) => {
  const { tracing, receiver } = await setting(t);
  const work = async (name: string) => {
    const outer = begin(tracing, name);
    await outer.within(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      begin(tracing, `in ${name}`).end(end);
      tracing.begin({ subject: 'job', name: `beside ${name}`, facts: {}, isRoot: true }).end(end);
    });
    outer.end({ ...end, hasFailed: true });
  };
  await Promise.all([work('a'), work('b')]);
  await eventually(() => receiver.spans.length === 6, 'six spans');
  const find = (name: string) => {
    const found = receiver.spans.find((span) => span.name === name);
    assert.ok(found);
    return found;
  };
  for (const name of ['a', 'b']) {
    assert.deepEqual([find(`in ${name}`).traceId, find(`in ${name}`).parentId], [find(name).traceId, find(name).spanId]);
    assert.equal(find(`beside ${name}`).parentId, '');
    assert.notEqual(find(`beside ${name}`).traceId, find(name).traceId);
    assert.deepEqual([find(name).hasFailed, find(`in ${name}`).hasFailed], [true, false]);
  }
  assert.notEqual(find('a').traceId, find('b').traceId);
  const count = () =>
    receiver.points.findLast(({ metric, facts }) => metric === 'sheaf.source.call.duration' && facts['sheaf.outcome'] === 'ok');
  await eventually(() => count()?.value === 4, 'the durations of all calls as a metric');
  assert.deepEqual(count()?.facts, { kind: 'a', 'sheaf.outcome': 'ok' });
});

test('the headers of the setting go with every message', async (t) => {
  const { tracing, receiver } = await setting(t, { headers: { authorization: 'Bearer abc' } });
  begin(tracing, 'a').end(end);
  await tracing.close();
  assert.deepEqual(new Set(receiver.messages.map(({ path }) => path)), new Set(['/v1/traces', '/v1/metrics']));
  assert.deepEqual(new Set(receiver.messages.map(({ headers }) => headers.authorization)), new Set(['Bearer abc']));
});

test('a gauge that cannot be read does not hold back others', async (t) => {
  const { tracing, receiver } = await setting(t);
  tracing.gauges({ broken: '1' }, () => Promise.reject(new Error('no database')));
  tracing.gauges({ whole: 'By' }, async () => [{ name: 'whole', value: 7, facts: { part: 'x' } }]);
  await eventually(() => receiver.points.some(({ metric }) => metric === 'whole'), 'the other gauge');
  assert.deepEqual(
    receiver.points.find(({ metric }) => metric === 'whole'),
    { metric: 'whole', value: 7, facts: { part: 'x' } },
  );
});

test('a collector that is down, or refuses, is logged once, and once more when it takes messages again', async (t) => {
  const port = await freePort();
  const { tracing, lines } = await setting(t, { port });
  begin(tracing, 'lost').end(end);
  await eventually(() => lines().filter(({ what }) => what === 'traces').length === 1, 'a line about traces');
  const receiver = await startOtlpReceiver(port);
  t.after(() => receiver.stop());
  receiver.conduct(400);
  const tries = () => receiver.messages.filter(({ path }) => path === '/v1/traces').length;
  for (let at = 0; at < 5; at += 1) {
    begin(tracing, 'refused').end(end);
    const before = tries();
    await eventually(() => tries() > before, 'another message');
  }
  const words = () => lines().flatMap(({ what, msg }) => (what === 'traces' ? [msg] : []));
  assert.deepEqual(words(), ['the OTLP collector does not take messages; they are dropped']);
  receiver.conduct('takes');
  begin(tracing, 'taken').end(end);
  await eventually(() => words().length === 2, 'a line that it works again');
  assert.equal(words()[1], 'the OTLP collector takes messages again');
  await eventually(() => receiver.spans.some(({ name }) => name === 'taken'), 'the span');
});

test('a collector that stays down is logged once in ten minutes, with the number of lost messages', () => {
  const told: object[] = [];
  let now = 0;
  const log = { warn: (facts: object) => told.push(facts), info: () => undefined } as never;
  const failing = { export: (_items: null, done: (result: { code: number }) => void) => done({ code: 1 }) };
  const { export: send } = createDelivery(log, () => now).watched('traces', failing);
  for (; now < 1_500_000; now += 5000) send(null, () => undefined);
  assert.deepEqual(
    told.map((facts) => (facts as { failed: number }).failed),
    [1, 121, 241],
  );
});

test('a collector that does not answer delays nothing, and a bounded number of spans is kept for it', async (t) => {
  const { tracing, receiver } = await setting(t);
  receiver.conduct('hangs');
  // Nothing here is waited for: a collector that is would end the test.
  for (let at = 0; at < 20_000; at += 1) begin(tracing, 'a').end(end);
  await eventually(() => receiver.messages.length > 0, 'a message');
  const closing = performance.now();
  await tracing.close();
  assert.ok(performance.now() - closing < 8000);
  const sent = receiver.messages.filter(({ path }) => path === '/v1/traces').reduce((sum, { body }) => sum + body.length, 0);
  // A span has some 150 bytes.
  assert.ok(sent < 4096 * 200, `${sent} bytes`);
});

test('a traceparent is parsed as the standard says, and anything else is ignored', () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  for (const good of [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`, `01-${traceId}-${spanId}-01-more`])
    assert.deepEqual(remoteOf(good), { traceId, spanId, traceFlags: 1, isRemote: true });
  const bad = [
    '',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01x`,
  ];
  assert.deepEqual(
    bad.filter((header) => remoteOf(header)),
    [],
  );
});
