import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type AppPasswordRights, createAppPassword, deleteAppPassword, linkUriOf, programAddresses } from '@sheaf/contract';
import { eventually, run, tempDir } from '@sheaf/testbed';
import ssh2 from 'ssh2';
import { hashesBelow, sha } from '#/serving/testing/hashes.ts';
import { linkOfKind } from '#/serving/testing/link-kinds.ts';
import { type User, testApp } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

/** Programs that sign in with a new app password. */
async function programs(t: TestContext, user: User, port: number, folders: readonly string[] = [], rights: AppPasswordRights = 'write') {
  const made = await user.ask(createAppPassword, { name: 'Test', linkUri: [...folders], rights });
  const { username, password } = made;
  const { path: folder, remove } = await tempDir('sftp-programs');
  t.after(() => remove());
  const askpass = join(folder, 'askpass');
  await writeFile(askpass, `#!/bin/sh\necho '${password}'\n`);
  await chmod(askpass, 0o700);
  const known = ['-oStrictHostKeyChecking=accept-new', `-oUserKnownHostsFile=${join(folder, 'known')}`];
  const within = (command: string, ...args: readonly string[]) =>
    run('env', [`HOME=${folder}`, `SSH_ASKPASS=${askpass}`, 'SSH_ASKPASS_REQUIRE=force', command, ...args], { cwd: folder });
  const target = `${username}@127.0.0.1`;
  return {
    ...made,
    folder,
    within,
    target,
    /** Runs commands of OpenSSH's client; a failing one ends them, unless it begins with a hyphen. */
    async sftp(...commands: readonly string[]): Promise<string> {
      const batch = join(folder, 'batch');
      await writeFile(batch, `${commands.join('\n')}\n`);
      return within('sftp', '-q', ...known, '-oBatchMode=no', '-oNumberOfPasswordPrompts=1', '-P', String(port), '-b', batch, target);
    },
    async rclone(...args: readonly string[]): Promise<string> {
      const obscured = (await run('rclone', ['obscure', password])).trim();
      const remote = [`RCLONE_CONFIG_SHEAF_TYPE=sftp`, 'RCLONE_CONFIG_SHEAF_HOST=127.0.0.1', `RCLONE_CONFIG_SHEAF_PORT=${port}`];
      const account = [
        `RCLONE_CONFIG_SHEAF_USER=${username}`,
        `RCLONE_CONFIG_SHEAF_PASS=${obscured}`,
        'RCLONE_CONFIG_SHEAF_SHELL_TYPE=none',
      ];
      return run('env', ['-u', 'AWS_CA_BUNDLE', `HOME=${folder}`, ...remote, ...account, 'rclone', '--retries', '1', ...args]);
    },
  };
}

async function listening(t: TestContext, { services }: Pick<Awaited<ReturnType<typeof testApp>>, 'services'>): Promise<number> {
  const port = await services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => services.sftp.close());
  return port;
}

for (const kind of ['sftp', 'files'] as const)
  test(`sftp, rclone and lftp carry files there and back over a link of the kind ${kind}, with their times`, async (t) => {
    const app = await testApp(t);
    const user = await app.signUp();
    await linkOfKind(t, user, kind, 'My NAS');
    const port = await listening(t, app);
    const { folder, sftp, rclone, target, password } = await programs(t, user, port);
    const from = join(folder, 'from');
    await mkdir(join(from, 'größe & more', 'deep'), { recursive: true });
    for (let index = 0; index < 30; index++)
      await writeFile(join(from, 'größe & more', index % 2 === 0 ? 'deep' : '', `file #${index} 100%.bin`), randomBytes(index * 100));
    const large = join(from, 'large.bin');
    await writeFile(large, randomBytes(6 * 1024 * 1024 + 17));
    await utimes(large, 1_600_000_000, 1_600_000_000);

    const listed = await sftp(
      'cd "My NAS"',
      'mkdir sftp',
      `put -p "${large}" sftp/large.bin`,
      `put -f "${large}" sftp/synced.bin`,
      'ls -l sftp',
      `get -p sftp/large.bin "${join(folder, 'got.bin')}"`,
    );
    assert.match(listed, /6291473 .*2020.* (?:sftp\/)?large\.bin/);
    assert.deepEqual(sha(await readFile(join(folder, 'got.bin'))), sha(await readFile(large)));
    assert.equal((await stat(join(folder, 'got.bin'))).mtimeMs, 1_600_000_000_000);
    await sftp(
      'cd "My NAS/sftp"',
      'rename synced.bin large.bin',
      'mkdir box',
      'rename large.bin box/moved.bin',
      '-rmdir box',
      'df -h',
      'rm box/moved.bin',
      'rmdir box',
      'cd ..',
      'rmdir sftp',
    );

    await rclone('copy', from, 'sheaf:/My NAS/rclone');
    await rclone('check', '--download', from, 'sheaf:/My NAS/rclone');
    const timesOf = async (place: string) => (await rclone('lsf', '-R', '--files-only', '--format', 'pts', place)).split('\n').toSorted();
    assert.deepEqual(await timesOf('sheaf:/My NAS/rclone'), await timesOf(from));
    await writeFile(join(from, 'new.txt'), 'new');
    await rclone('sync', from, 'sheaf:/My NAS/rclone');
    await rclone('sync', 'sheaf:/My NAS/rclone', join(folder, 'to'));
    assert.deepEqual(await hashesBelow(join(folder, 'to')), await hashesBelow(from));

    const script = `set sftp:auto-confirm yes; set net:max-retries 1; open -u ${target.split('@')[0]},${password} sftp://127.0.0.1:${port}; mirror -R "${join(from, 'größe & more')}" "/My NAS/lftp"; mirror "/My NAS/lftp" "${join(folder, 'lftp')}"; rm -r "/My NAS/lftp"`;
    // lftp asks for the password on a terminal of its own.
    await run('env', [`HOME=${folder}`, 'lftp', '-c', script]);
    assert.deepEqual(await hashesBelow(join(folder, 'lftp')), await hashesBelow(join(from, 'größe & more')));
  });

test('an app password opens its folders only, reads where it may only read, and its end ends connections', async (t) => {
  const app = await linkApp(t);
  const port = await listening(t, app);
  const { userLinkId } = await addSftp(app.user, 'NAS');
  assert.deepEqual((await app.user.ask(programAddresses, { userLinkId })).sftp, { host: '127.0.0.1', port, folder: '/NAS' });
  app.source.put('/docs/open/a.txt', 'a');
  app.source.put('/docs/closed/b.txt', 'b');
  const limited = await programs(t, app.user, port, [linkUriOf(userLinkId, '/docs/open')]);
  assert.deepEqual((await limited.sftp('ls -1 /NAS/docs')).trim().split('\n').at(-1), '/NAS/docs/open');
  await limited.sftp('get /NAS/docs/open/a.txt a.txt', 'put a.txt /NAS/docs/open/copy.txt');
  assert.equal(await readFile(join(limited.folder, 'a.txt'), 'utf8'), 'a');
  for (const command of [
    'get /NAS/docs/closed/b.txt',
    'put a.txt /NAS/docs/closed/c.txt',
    'rename /NAS/docs/open/a.txt /NAS/docs/a.txt',
    'rm /NAS/docs/open/../closed/b.txt',
    'ls /NAS/docs/closed',
  ])
    await assert.rejects(limited.sftp(command), command);
  const reader = await programs(t, app.user, port, [], 'read');
  await reader.sftp('get /NAS/docs/open/a.txt a.txt');
  for (const command of ['put a.txt /NAS/x.txt', 'rm /NAS/docs/open/a.txt', 'mkdir /NAS/x', 'rename /NAS/docs /NAS/d'])
    await assert.rejects(reader.sftp(command), command);
  await assert.rejects(reader.within('ssh', '-oStrictHostKeyChecking=no', '-p', String(port), reader.target, 'id'));
  const key = join(app.config.dataDir, 'sftp-host-key');
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  await app.user.ask(deleteAppPassword, { appPasswordId: reader.appPassword.appPasswordId });
  await assert.rejects(reader.sftp('ls'));
});

test('silent connections neither keep programs out nor exceed their limit', async (t) => {
  const app = await linkApp(t);
  const port = await listening(t, app);
  await addSftp(app.user, 'NAS');
  const strangers = Array.from({ length: 120 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  );
  t.after(() => strangers.forEach((socket) => socket.destroy()));
  await eventually(() => strangers.filter((socket) => socket.closed).length >= 70, 'the oldest ones have been ended');
  assert.equal(strangers.filter((socket) => socket.closed).length, 70);
  const { sftp } = await programs(t, app.user, port);
  assert.match(await sftp('ls -1 /'), /NAS/);
});

test('a client that insists on compression is refused before it signs in', async (t) => {
  const port = await listening(t, await testApp(t));
  for (const compress of ['zlib', 'zlib@openssh.com'] as const) {
    const client = new ssh2.Client();
    t.after(() => client.destroy());
    const refused = once(client, 'error') as Promise<[Error]>;
    client.once('handshake', () => assert.fail(`${compress} is offered`));
    client.connect({ host: '127.0.0.1', port, username: 'somebody', password: 'wrong', algorithms: { compress: [compress] } });
    assert.match((await refused)[0].message, /no matching.*compression/i);
  }
});

test('a program that asks for the next entries of a folder before it has the last answer gets each entry once', async (t) => {
  const app = await linkApp(t);
  const port = await listening(t, app);
  await addSftp(app.user, 'NAS');
  const names = Array.from({ length: 950 }, (_, index) => `file ${index}.bin`);
  for (const name of names) app.source.put(`/many/${name}`, 'x');
  const { username, password } = await app.user.ask(createAppPassword, { name: 'Test', linkUri: [], rights: 'read' });
  const client = new ssh2.Client();
  t.after(() => client.destroy());
  client.connect({ host: '127.0.0.1', port, username, password });
  await once(client, 'ready');
  const sftp = await promisify<ssh2.SFTPWrapper>((done) => client.sftp(done))();
  const handle = await promisify<string, Buffer>(sftp.opendir.bind(sftp))('/NAS/many');
  const next = () =>
    new Promise<string[]>((resolve, reject) => {
      sftp.readdir(handle, (error, entries) => {
        if (error === undefined) resolve(entries.map(({ filename }) => filename));
        // 1 is the end of the folder.
        else if ('code' in error && error.code === 1) resolve([]);
        else reject(error);
      });
    });
  const answers = await Promise.all(Array.from({ length: 16 }, next));
  assert.deepEqual(answers.flat().toSorted(), names.toSorted());
  assert.deepEqual(answers.at(-1), [], 'the end comes after all entries');
});
