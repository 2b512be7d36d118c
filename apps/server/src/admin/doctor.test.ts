import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@sheaf/testbed';
import { readConfig } from '#/platform/config/config.ts';
import { testApp } from '#/testing/app.ts';
import { examine } from './doctor.ts';

test('the doctor goes through the checks of the page Health, tells what to do, and needs no running Sheaf', async (t) => {
  const port = await freePort();
  const { app, config } = await testApp(t, { settings: { SHEAF_PUBLIC_URL: `http://127.0.0.1:${port}`, SHEAF_PROT: '80' } });
  await app.listen({ host: '127.0.0.1', port });
  const lines: string[] = [];
  const found = await examine(config, (line) => lines.push(line));
  const text = lines.join('\n');
  for (const title of ['Rights of the data folder', 'Backups', 'Public address and proxy', 'Mail server'])
    assert.match(text, new RegExp(`^ok ${title}$`, 'm'), text);
  assert.doesNotMatch(text, /does not answer/);
  assert.match(text, /^! {2}SHEAF_PROT looks like a setting, but is none\.$/m);
  assert.match(text, /Settings to look at, see the page Settings: .*SHEAF_BACKUP_PASSPHRASE/);
  assert.equal(found, lines.filter((line) => /^[!?]/.test(line)).length);

  await app.close();
  const alone: string[] = [];
  await examine(config, (line) => alone.push(line));
  assert.match(alone.join('\n'), /^! {2}Public address and proxy: Sheaf does not reach itself .* \(ECONNREFUSED\)$/m);
});

test('a database that does not answer and a mail server that is not there are told, without their passwords', async (t) => {
  const { config } = await testApp(t);
  const [database, mail] = [await freePort(), await freePort()];
  const broken = readConfig({
    SHEAF_DATA_DIR: config.dataDir,
    SHEAF_DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${database}/sheaf`,
    SHEAF_SMTP_URL: `smtp://me:hunter2@127.0.0.1:${mail}`,
  });
  const lines: string[] = [];
  await examine(broken, (line) => lines.push(line));
  const text = lines.join('\n');
  assert.match(text, /^! {2}Database: The database does not answer\./m);
  assert.match(text, /^! {2}Mail server: The mail server does not take mails from here\..*ECONNREFUSED/m);
  assert.ok(!text.includes('hunter2'));
});
