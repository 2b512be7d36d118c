import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emailLogin, emailSignup, familyCalls, linkUriOf, listJobs, retryJob } from '@sheaf/contract';
import { eventually, run, startOpenssh, tempDir } from '@sheaf/testbed';
import { commands } from '#/admin/commands.ts';
import { readConfig } from '#/platform/config/config.ts';
import { createBackups } from '#/secrets/backups/service.ts';
import { masterKeys } from '#/secrets/master-key.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { spawnServer } from '#/testing/server-process.ts';
import { callerOf } from '#/testing/states/caller.ts';

test('the nightly job of a running server leaves fourteen backups on an SFTP server, from which an empty folder is restored', async (t) => {
  const [storage, data, other] = [await startOpenssh(), await tempDir('nightly'), await tempDir('nightly')];
  t.after(async () => {
    await storage.stop();
    await data.remove();
    await other.remove();
  });
  const settings = { SHEAF_DATA_DIR: data.path, SHEAF_DATABASE_URL: '', SHEAF_BACKUP_PASSPHRASE: 'correct horse battery' };
  const olga = { name: 'Olga', email: 'olga@example.org', password: 'correct horse battery' };
  const nightly = join(storage.home, 'nightly');

  const first = await spawnServer(t, { settings });
  await eventually(first.isReady, 'the server is ready');
  const owner = callerOf(first.url);
  await owner.ask(emailSignup, olga);
  const { host, port, username, password } = storage;
  const info = draftOf({ ...sftpInfo, server: `${host}:${port}`, username, password }, { linkName: 'Attic' });
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, info);
  first.child.kill('SIGTERM');
  assert.equal(await first.ended(), 0, first.output());

  const { keyId } = createBackups(readConfig(settings), (await masterKeys(readConfig(settings))).current);
  await mkdir(nightly);
  const old = Array.from({ length: 16 }, (_, day) => `sheaf-${keyId}-202601${String(day + 10)}-023000-daily.backup`);
  for (const name of old) await writeFile(join(nightly, name), 'x');
  await writeFile(join(nightly, 'holiday.jpg'), 'x');
  await run('chown', ['-R', username, nightly]);

  const second = await spawnServer(t, { settings: { ...settings, SHEAF_BACKUP_FOLDER: linkUriOf(userLinkId, '/nightly') } });
  await eventually(second.isReady, 'the server is ready again');
  const operator = callerOf(second.url);
  await operator.ask(emailLogin, { email: olga.email, password: olga.password });
  const { jobs } = await operator.ask(listJobs, { list: 'waiting' });
  const daily = jobs.find(({ kind }) => kind === 'backup.daily');
  assert.ok(daily, 'the job waits for the night');
  await operator.ask(retryJob, { scope: daily.scope, jobId: daily.jobId });
  const names = async () => (await readdir(nightly)).filter((name) => name.endsWith('-daily.backup')).toSorted();
  await eventually(async () => (await names()).length === 14 && (await names()).at(-1) !== old.at(-1), 'fourteen are kept');
  assert.deepEqual((await names()).slice(0, -1), old.slice(3));
  assert.equal(await readFile(join(nightly, 'holiday.jpg'), 'utf8'), 'x');
  second.child.kill('SIGTERM');
  assert.equal(await second.ended(), 0, second.output());

  const restored = { ...settings, SHEAF_DATA_DIR: other.path };
  const file = join(nightly, (await names()).at(-1) ?? '');
  const said: string[] = [];
  await commands['verify']?.(readConfig(restored), file, (line) => void said.push(line));
  assert.match(said.join('\n'), /1 accounts, 1 links, 1 secrets/);
  await commands['restore']?.(readConfig(restored), file, (line) => void said.push(line));
  const third = await spawnServer(t, { settings: restored });
  await eventually(third.isReady, 'the restored server is ready');
  await callerOf(third.url).ask(emailLogin, { email: olga.email, password: olga.password });
});
