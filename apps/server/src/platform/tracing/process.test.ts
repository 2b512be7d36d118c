import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually, tempDir } from '@sheaf/testbed';
import { startOtlpReceiver } from '#/testing/otlp/receiver.ts';
import { spawnServer } from '#/testing/server-process.ts';

const mark = 'loaded a library of OpenTelemetry';
/** A hook that writes to standard error once when the process resolves a module of OpenTelemetry. */
const hook = `import { registerHooks } from 'node:module';
let told = false;
registerHooks({ resolve(specifier, context, next) {
  if (specifier.startsWith('@opentelemetry/') && !told) { told = true; process.stderr.write(${JSON.stringify(`${mark}\n`)}); }
  return next(specifier, context);
} });`;

async function start(t: TestContext, settings: Readonly<Record<string, string>>) {
  const folder = await tempDir('hook');
  t.after(folder.remove);
  const hookFile = join(folder.path, 'hook.mjs');
  await writeFile(hookFile, hook);
  const server = await spawnServer(t, { settings, nodeArgs: ['--import', pathToFileURL(hookFile).href] });
  await eventually(server.isReady, 'the server is ready');
  return server;
}

test('without the setting no library of OpenTelemetry is loaded; with it spans of the last moment arrive before SIGTERM ends the process', async (t) => {
  const off = await start(t, {});
  off.child.kill('SIGTERM');
  assert.equal(await off.ended(), 0);
  assert.ok(!off.output().includes(mark));

  const receiver = await startOtlpReceiver();
  t.after(() => receiver.stop());
  const on = await start(t, { SHEAF_OTLP_URL: receiver.url });
  const before = receiver.spans.length;
  on.child.kill('SIGTERM');
  assert.equal(await on.ended(), 0);
  assert.ok(on.output().includes(mark));
  assert.ok(receiver.spans.length > before);
  assert.ok(receiver.spans.some(({ facts }) => facts['http.route'] === '/readyz' && facts['http.response.status_code'] === 200));
  assert.ok(receiver.points.some(({ metric, value }) => metric === 'sheaf.database.up' && value === 1));
});

test('with a collector that does not answer the server starts, works, and ends in time', async (t) => {
  const receiver = await startOtlpReceiver();
  t.after(() => receiver.stop());
  receiver.conduct('hangs');
  const server = await start(t, { SHEAF_OTLP_URL: receiver.url });
  const begun = performance.now();
  server.child.kill('SIGTERM');
  assert.equal(await server.ended(), 0);
  // One second for the collector, the others for the rest of the start and end.
  assert.ok(performance.now() - begun < 8000, `${performance.now() - begun} ms`);
  assert.ok(receiver.messages.length > 0);
});
