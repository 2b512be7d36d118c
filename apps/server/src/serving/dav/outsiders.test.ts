import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Env, findDefinition } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import { createAppPassword, findSource } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import { hashesBelow, sha } from '#/serving/testing/hashes.ts';
import { type LinkKind, linkOfKind } from '#/serving/testing/link-kinds.ts';
import type { TestOverrides } from '#/test-overrides.ts';
import { testApp } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { startDropboxCloud } from '#/testing/storages/clouds.ts';

/** A link to a simulated cloud storage, in place of all links. */
async function cloudLink(t: TestContext): Promise<TestOverrides> {
  const cloud = await startDropboxCloud(t);
  const definition = (await findDefinition(findSource(cloud.provider) ?? assert.fail())) ?? assert.fail(cloud.provider);
  const config = definition.parse(cloud.info, cloud.provider);
  const memory = createMemorySource().definition;
  return {
    findDefinition: async () => ({
      ...memory,
      async open(_info: unknown, env: Env) {
        const tokens = { access: async () => cloud.accessToken };
        return definition.open(config, { ...env, ...(cloud.app && { app: cloud.app }), tokens });
      },
    }),
  };
}

/** Sheaf with a link named "My NAS", reached from outside, and an app password for everything. */
async function served(t: TestContext, kind: LinkKind | 'cloud') {
  const app = await testApp(t, kind === 'cloud' ? await cloudLink(t) : {});
  const user = await app.signUp();
  if (kind === 'cloud') await addSftp(user, 'My NAS', { server: 'cloud.example' });
  else await linkOfKind(t, user, kind, 'My NAS');
  const { username, password } = await user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'write' });
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...app, user, username, password, url: `${url}/dav/My%20NAS/` };
}

for (const kind of ['sftp', 'webdav', 'files', 'objects', 'cloud'] as const)
  test(`litmus passes all its tests over a link of the kind ${kind}`, async (t) => {
    const { url, username, password } = await served(t, kind);
    const folder = await tempDir('litmus');
    t.after(() => folder.remove());
    const output = await run('litmus', ['-k', url, username, password], { cwd: folder.path }).catch(
      (error: { stdout?: string }) => error.stdout ?? 'litmus did not run',
    );
    const passed = [...output.matchAll(/of (\d+) tests run: (\d+) passed/g)].map(([, all, done]) => [Number(all), Number(done)]);
    assert.deepEqual(
      [passed.reduce((sum, [, done = 0]) => sum + done, 0), passed.reduce((sum, [all = 0]) => sum + all, 0)],
      [104, 104],
      output,
    );
    assert.ok(!output.includes('WARNING'), output);
  });

test('rclone and cadaver carry files there and back', async (t) => {
  const { url, username, password } = await served(t, 'sftp');
  const folder = await tempDir('programs');
  t.after(() => folder.remove());
  const from = join(folder.path, 'from');
  await mkdir(join(from, 'größe & more', 'deep'), { recursive: true });
  for (let index = 0; index < 40; index++)
    await writeFile(join(from, 'größe & more', index % 2 === 0 ? 'deep' : '', `file #${index} 100%.bin`), randomBytes(index * 100));
  await writeFile(join(from, 'large.bin'), randomBytes(8 * 1024 * 1024));
  const obscured = (await run('rclone', ['obscure', password])).trim();
  const remote = `:webdav,url="${url}",user="${username}",pass="${obscured}",vendor="other":`;
  const rclone = (...args: readonly string[]) => run('rclone', ['--config', '/dev/null', '--retries', '1', ...args]);
  await rclone('copy', from, `${remote}backup`);
  await rclone('check', '--download', from, `${remote}backup`);
  await rclone('moveto', `${remote}backup/large.bin`, `${remote}backup/moved.bin`);
  await rclone('copyto', `${remote}backup/moved.bin`, `${remote}backup/large.bin`);
  await rclone('delete', `${remote}backup/moved.bin`);
  await rclone('copy', `${remote}backup`, join(folder.path, 'to'));
  assert.deepEqual(await hashesBelow(join(folder.path, 'to')), await hashesBelow(from));

  const cadaver = (...commands: readonly string[]) =>
    run('sh', ['-c', 'url="$1"; shift; printf "%s\\n" "$@" | HOME="$PWD" cadaver "$url"', 'sh', url, ...commands], { cwd: folder.path });
  await writeFile(join(folder.path, '.netrc'), `machine 127.0.0.1 login ${username} password ${password}\n`, { mode: 0o600 });
  const said = await cadaver(
    `put ${join(from, 'large.bin')} one.bin`,
    'mkcol box',
    'move one.bin box/',
    'get box/one.bin two.bin',
    'ls box',
    'rmcol box',
    'quit',
  );
  assert.match(said, /one\.bin/);
  assert.equal(sha(await readFile(join(folder.path, 'two.bin'))), sha(await readFile(join(from, 'large.bin'))));
});
