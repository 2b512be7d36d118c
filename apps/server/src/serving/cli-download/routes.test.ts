import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { downloadRoutes } from './routes.ts';

test('the client comes as a download for every platform, and without one the address is left to the page [RT-086] [RT-087]', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-downloads-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'sheaf-cli.tgz');
  const app = fastify();
  t.after(() => app.close());
  app.setNotFoundHandler(async (_request, reply) => reply.code(200).send('the page'));
  downloadRoutes(app, file);
  assert.equal((await app.inject('/downloaddesktop?platform=mac')).body, 'the page');
  await writeFile(file, 'package');
  assert.equal((await app.inject('/downloaddesktop?platform=amiga')).headers.location, '/download');
  for (const platform of ['mac', 'win', 'linux']) {
    const { body, headers } = await app.inject(`/downloaddesktop?platform=${platform}`);
    assert.deepEqual([body, headers['content-disposition']], ['package', 'attachment; filename="sheaf-cli.tgz"']);
  }
});
