import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fastify } from 'fastify';
import { downloadRoutes } from './routes.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const signingKey = () => privateKey;

/** A server without a built client, and the folder in which it looks for one. */
async function serving(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-downloads-'));
  t.after(() => rm(folder, { recursive: true }));
  const [file, bundles] = [join(folder, 'sheaf-cli.tgz'), join(folder, 'bundles')];
  const app = fastify();
  t.after(() => app.close());
  app.decorate('publicOrigin', 'https://sheaf.example');
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('the page'));
  downloadRoutes(app, { file, bundles, signingKey });
  return { app, folder, file, bundles };
}

test('the client comes as a download for every platform, and without one the address is left to the page [RT-086] [RT-087]', async (t) => {
  const { app, file } = await serving(t);
  assert.equal((await app.inject('/downloaddesktop?platform=mac')).body, 'the page');
  await writeFile(file, 'package');
  assert.equal((await app.inject('/downloaddesktop?platform=amiga')).headers.location, '/download');
  for (const platform of ['mac', 'win', 'linux']) {
    const { body, headers } = await app.inject(`/downloaddesktop?platform=${platform}`);
    assert.deepEqual([body, headers['content-disposition']], ['package', 'attachment; filename="sheaf-cli.tgz"']);
  }
});

test('bundles, an install script for each system, the checksums and their signature are served; nothing else of the folder is', async (t) => {
  const { app, folder, bundles } = await serving(t);
  for (const name of ['install.sh', 'install.ps1', 'SHA256SUMS', 'SHA256SUMS.sig', 'sheaf-linux-x64.tar.gz'])
    assert.deepEqual([name, (await app.inject(`/client/${name}`)).body], [name, 'the page']);

  await mkdir(bundles);
  await writeFile(join(bundles, 'sheaf-linux-x64.tar.gz'), 'bundle');
  await writeFile(join(bundles, 'notes.txt'), 'not offered');
  await writeFile(join(folder, 'secret'), 'not offered');
  const sum = createHash('sha256').update('bundle').digest('hex');
  const lines = `${sum}  sheaf-linux-x64.tar.gz\n`;
  await writeFile(join(bundles, 'SHA256SUMS'), lines);
  assert.deepEqual((await app.inject('/rest/client/offer')).json(), { data: { systems: ['linux'] } });
  assert.equal((await app.inject('/client/sheaf-linux-x64.tar.gz')).body, 'bundle');
  for (const name of ['notes.txt', '..%2Fsecret', '%2E%2E%2Fsecret', 'sheaf-win32-x64.tar.gz'])
    assert.deepEqual([name, (await app.inject(`/client/${name}`)).statusCode], [name, 404]);
  const [sums, signature, key] = await Promise.all(
    ['SHA256SUMS', 'SHA256SUMS.sig', 'key.pem'].map((name) => app.inject(`/client/${name}`)),
  );
  assert.equal(sums?.body, lines);
  assert.ok(verify(null, Buffer.from(lines), createPublicKey(key?.body ?? ''), signature?.rawPayload ?? Buffer.alloc(0)));
  const [posix, windows] = await Promise.all(['install.sh', 'install.ps1'].map((name) => app.inject(`/client/${name}`)));
  assert.match(posix?.body ?? '', new RegExp(`^server='https://sheaf\\.example'\nsums='${sum}  sheaf-linux-x64\\.tar\\.gz'$`, 'm'));
  assert.match(windows?.body ?? '', /throw 'This Sheaf offers no client for Windows\.'/);
});
