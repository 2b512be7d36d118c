import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually, spawnOwned } from '@sheaf/testbed';
import { setting } from '#/testing/setting.ts';

/** A user with a stand-in for `systemctl`, which records its arguments and exits with `code`. */
async function withSystemd(t: TestContext, code: number) {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-service-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [bin, calls, config] = [join(folder, 'bin'), join(folder, 'calls'), join(folder, 'config')];
  await mkdir(bin);
  await writeFile(join(bin, 'systemctl'), `#!/bin/sh\necho "$@" >> '${calls}'\nexit ${code}\n`);
  await chmod(join(bin, 'systemctl'), 0o755);
  const user = await setting(t, { env: { PATH: `${bin}:/usr/bin:/bin`, XDG_CONFIG_HOME: config } });
  const units = (): Promise<string[]> => readdir(join(config, 'systemd/user')).catch(() => []);
  return {
    ...user,
    units,
    unit: async () => readFile(join(config, 'systemd/user', (await units())[0] ?? ''), 'utf8'),
    calls: () => readFile(calls, 'utf8'),
  };
}

test('a service is a systemd unit whose command keeps the folder copied; removing it leaves nothing behind', async (t) => {
  const { sheaf, source, local, put, units, unit, calls, kept } = await withSystemd(t, 0);
  const folder = join(local, 'My $HOME & "100%"');
  await put(folder, { 'a.txt': 'one' });
  const { code, err } = await sheaf('service', 'add', '--to', 'Attic/copy', folder);
  assert.equal(code, 0, err);
  assert.match(err, /is copied to Attic\/copy from now on/);
  const [name = ''] = await units();
  assert.equal(await calls(), `--user daemon-reload\n--user enable --now ${name}\n`);

  // Parses the line as systemd does: quotes delimit words, a backslash escapes a character, %% and $$ stand for one.
  const line = /^ExecStart=(.*)$/m.exec(await unit())?.[1] ?? '';
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  );
  const [program = '', ...args] = words;
  assert.equal(args.at(-1), folder);
  const running = spawnOwned(program, args, { env: { HOME: '/', SHEAF_CLI_DIR: kept }, stdio: 'ignore' });
  t.after(() => running.kill('SIGKILL'));
  const copied = (file: string): Promise<string> => readFile(join(source, 'copy', file), 'utf8').catch(() => '');
  await eventually(async () => (await copied('a.txt')) === 'one', 'the folder is copied');
  await put(folder, { 'b.txt': 'two' });
  await eventually(async () => (await copied('b.txt')) === 'two', 'the change is copied');
  running.kill('SIGKILL');

  assert.equal((await sheaf('service', 'remove', folder)).code, 0);
  assert.deepEqual(await units(), []);
  assert.match(await calls(), new RegExp(`--user disable --now ${name}\n$`));
  const again = await sheaf('service', 'remove', folder);
  assert.deepEqual([again.code, again.err], [1, `${folder} is not kept copied by a service.\n`]);
});

test('a service that does not start leaves no unit behind', async (t) => {
  const { sheaf, local, units } = await withSystemd(t, 1);
  const { code, err } = await sheaf('service', 'add', '--to', 'Attic/copy', local);
  assert.equal(code, 1);
  assert.match(err, /"systemctl --user daemon-reload" failed\.\n$/);
  assert.deepEqual(await units(), []);
  assert.equal((await sheaf('service', 'start', local)).code, 2);
});
