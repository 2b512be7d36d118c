import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listSettings } from '@sheaf/contract';
import { ConfigError, readConfig, settingNames } from '#/platform/config/config.ts';
import { testApp } from '#/testing/app.ts';
import { describe } from './service.ts';

const shown = (environment: Readonly<Record<string, string>>, name: string) =>
  describe(readConfig(environment)).find((setting) => setting.name === name);

test('the operator sees each setting, where it comes from and what is wrong with it, and no secret', async (t) => {
  const secrets = ['my metrics token', 'backups are sealed', 'hunter22'];
  const app = await testApp(t, {
    settings: {
      SHEAF_OPERATORS: 'boss@example.org',
      SHEAF_METRICS_TOKEN: secrets[0] ?? '',
      SHEAF_BACKUP_PASSPHRASE: secrets[1] ?? '',
      SHEAF_DROPBOX_CLIENT_ID: 'app-id',
      SHEAF_DROPBOX_CLIENT_SECRET: secrets[2] ?? '',
      SHEAF_PROT: '80',
    },
  });
  const boss = await app.signUp('boss@example.org');
  await app.services.accounts.markVerified({ id: boss.userId, email: boss.email });
  const answer = await boss.send(listSettings, {});
  for (const secret of secrets) assert.ok(!answer.body.includes(secret), secret);
  const { settings, unknown } = await boss.ask(listSettings, {});
  assert.deepEqual(unknown, ['SHEAF_PROT']);
  const find = (name: string) => {
    const { about: _about, ...row } = settings.find((setting) => setting.name === name) ?? { about: '' };
    return row;
  };
  assert.deepEqual(find('SHEAF_METRICS_TOKEN'), { name: 'SHEAF_METRICS_TOKEN', origin: 'environment', isSecret: true, isSet: true });
  assert.deepEqual(find('SHEAF_DROPBOX_CLIENT_ID'), {
    name: 'SHEAF_DROPBOX_CLIENT_ID',
    origin: 'environment',
    value: 'app-id',
    isSecret: false,
    isSet: true,
  });
  assert.deepEqual(find('SHEAF_PORT'), { name: 'SHEAF_PORT', origin: 'preset', value: '8180', isSecret: false, isSet: true });
  assert.equal(settings.find(({ name }) => name === 'SHEAF_SIGNUP')?.effective, 'open');
  assert.equal((await (await app.signUp()).refusal(listSettings, {})).messageCode, 'NOT_OPERATOR');
});

test('a value that may be secret is never shown, whatever the settings are', () => {
  const secret = Buffer.alloc(32, 'secret').toString('base64');
  for (const name of settingNames.filter((one) => /KEY|TOKEN|PASS|SECRET/.test(one) && one !== 'SHEAF_RECURLY_PUBLIC_KEY'))
    assert.ok(!JSON.stringify(describe(readConfig({ [name]: secret }))).includes(secret), name);
  const address = describe(
    readConfig({ SHEAF_DATABASE_URL: 'postgres://me:hunter2@db/sheaf?key=hunter3', SHEAF_SMTP_URL: 'smtps://me:hunter4@mail:465' }),
  );
  assert.ok(!JSON.stringify(address).includes('hunter'));
  assert.equal(address.find(({ name }) => name === 'SHEAF_DATABASE_URL')?.value, 'postgres://db/sheaf');
});

test('a setting that needs attention shows advice', () => {
  const publicly = { SHEAF_PUBLIC_URL: 'http://sheaf.example' };
  const advice = (environment: Readonly<Record<string, string>>, name: string) => shown(environment, name)?.advice;
  assert.equal(advice(publicly, 'SHEAF_PUBLIC_URL'), 'plainHttp');
  assert.equal(advice({ SHEAF_PUBLIC_URL: 'https://sheaf.example' }, 'SHEAF_TRUSTED_PROXIES'), 'noProxies');
  assert.equal(advice(publicly, 'SHEAF_SMTP_URL'), 'noMail');
  assert.equal(advice({ ...publicly, SHEAF_SMTP_URL: 'smtp://mail' }, 'SHEAF_MAIL_FROM'), 'presetSender');
  assert.equal(advice({ SHEAF_DATABASE_URL: 'postgres://db/sheaf' }, 'SHEAF_SECRET_KEY'), 'keyInFolder');
  assert.equal(advice({ SHEAF_BACKUP: 'off' }, 'SHEAF_BACKUP'), 'noBackups');
  assert.equal(advice({ ...publicly, SHEAF_PRIVATE_NETWORKS: 'allow' }, 'SHEAF_PRIVATE_NETWORKS'), 'openNetworks');
  assert.equal(advice({}, 'SHEAF_PUBLIC_URL'), undefined);
});

test('a setting may stand in a file, whose name is set instead; both, and a file that cannot be read, are refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-settings-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'token');
  await writeFile(file, 'from a file\n');
  assert.equal(readConfig({ SHEAF_METRICS_TOKEN_FILE: file }).metricsToken, 'from a file');
  assert.equal(shown({ SHEAF_METRICS_TOKEN_FILE: file, SHEAF_METRICS_TOKEN: '' }, 'SHEAF_METRICS_TOKEN')?.origin, 'file');
  assert.deepEqual(readConfig({ SHEAF_BOX_CLIENT_SECRET_FILE: file }).providers['box'], { clientSecret: 'from a file' });
  const problemsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
    try {
      readConfig(environment);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };
  assert.deepEqual(problemsOf({ SHEAF_METRICS_TOKEN_FILE: file, SHEAF_METRICS_TOKEN: 'x' }), [
    'SHEAF_METRICS_TOKEN_FILE must not be set together with SHEAF_METRICS_TOKEN',
  ]);
  assert.deepEqual(problemsOf({ SHEAF_METRICS_TOKEN_FILE: join(folder, 'none') }), [
    'SHEAF_METRICS_TOKEN_FILE must name a file that Sheaf can read (ENOENT)',
  ]);
});
