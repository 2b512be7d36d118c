import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { testApp } from '#/testing/app.ts';
import { addSftp, linkApp, listRoot } from '#/testing/links.ts';

const folder = join(import.meta.dirname, '../../../../../deploy/monitoring');
/** Names of series in a query: what stands before a selector, or alone where a metric can. */
const namesIn = (query: string): string[] => query.match(/\b(?:sheaf|nodejs|process)_\w+/g) ?? [];

const Dashboard = Type.Object({
  templating: Type.Object({ list: Type.Array(Type.Object({ query: Type.String() })) }),
  panels: Type.Array(Type.Object({ targets: Type.Array(Type.Object({ expr: Type.String() })) })),
});

test('alert rules and dashboard ask only for metrics that exist', async (t) => {
  const { app, user, services } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'One');
  await listRoot({ user, services }, userLinkId);
  await services.background.idle();
  // Fetched twice, because a request is counted only when it has been answered.
  const text = async () => (await app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })).body;
  await text();
  const lines = (await text()).split('\n');
  const exist = new Set(lines.flatMap((line) => /^(\w+)(?:\{| )/.exec(line)?.[1] ?? []));
  // Gauges that have no series while nothing is due, but a type.
  for (const line of lines) exist.add(/^# TYPE (\w+) gauge$/.exec(line)?.[1] ?? '');
  const rules = await readFile(join(folder, 'alerts.yaml'), 'utf8');
  const { templating, panels } = Parse(Dashboard, JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')));
  const queries = [
    ...(rules.match(/^ +expr: .*$/gm) ?? []),
    ...templating.list.map(({ query }) => query),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  assert.ok(queries.length > 20);
  const unknown = queries.flatMap(namesIn).filter((name) => !exist.has(name));
  assert.deepEqual(unknown, []);
  assert.match(lines.join('\n'), /sheaf_source_call_seconds_count\{connector="[\w-]+",operation="list",outcome="ok"\} 1/);
  assert.match(lines.join('\n'), /nodejs_eventloop_delay_seconds\{quantile="0.99"\} \d/);
});

test('without the database the other metrics are still served', async (t) => {
  const { app, services } = await testApp(t);
  await services.jobs.stop();
  await services.database.close();
  const { body, statusCode } = await app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' });
  assert.equal(statusCode, 200);
  assert.match(body, /^sheaf_database_up 0$/m);
  assert.match(body, /^process_resident_memory_bytes \d+$/m);
});
