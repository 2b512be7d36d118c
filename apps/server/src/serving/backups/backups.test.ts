import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { emailLogin, linkUriOf, listBackups, listOperatorLog, makeBackup } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { commands } from '#/admin/commands.ts';
import { readConfig } from '#/platform/config/config.ts';
import { testApp } from '#/testing/app.ts';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, linkApp, listRoot } from '#/testing/links.ts';

/** An installation that came from a backup, with a folder for its own backups on a link of Mara's. */
async function stage(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const former = await linkApp(t);
  const { userLinkId } = await addSftp(former.user, 'Attic');
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-backups-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const sealed = { SHEAF_BACKUP_PASSPHRASE: 'correct horse battery' };
  const place = { ...sealed, SHEAF_DATA_DIR: join(folder, 'data'), SHEAF_DATABASE_URL: await testDatabase({ empty: true }) };
  const { dataDir, databaseUrl } = former.config;
  const file = join(folder, 'first.backup');
  const quiet = (): void => undefined;
  await commands['backup']?.(readConfig({ ...sealed, SHEAF_DATA_DIR: dataDir, SHEAF_DATABASE_URL: databaseUrl }), file, quiet);
  await commands['restore']?.(readConfig(place), file, quiet);
  const app = await testApp(t, {
    settings: { ...place, SHEAF_BACKUP_FOLDER: linkUriOf(userLinkId, '/'), ...settings },
    findDefinition: () => Promise.resolve(former.source.definition),
  });
  const { email, password, userId } = former.user;
  const mara = { ...former.user, ...app.visitor() };
  await mara.ask(emailLogin, { email, password });
  return { app, mara, userId, userLinkId, source: former.source };
}

test('the operator makes a backup, which is uploaded to the chosen folder, where fourteen are kept and nothing else is touched', async (t) => {
  const { app, mara, userLinkId } = await stage(t);
  const names = () => listRoot({ services: app.services, user: mara }, userLinkId);
  const { backup } = await mara.ask(makeBackup, {});
  await eventually(async () => (await names()).includes(backup.name), 'the backup is uploaded');
  const before = await mara.ask(listBackups, {});
  assert.deepEqual(before, {
    backups: [backup],
    failures: [],
    isDaily: true,
    hasKey: true,
    folderUri: linkUriOf(userLinkId, '/'),
  });
  const { connector } = await app.services.connections.open(mara.userId, userLinkId);
  const id = backup.name.slice(6, 14);
  const old = Array.from({ length: 16 }, (_, day) => `sheaf-${id}-202401${String(day + 10)}-023000-manual.backup`);
  const foreign = ['sheaf-AAAAAAAA-20230101-000000-manual.backup', 'sheaf-notes.backup', `sheaf-${id}-20230101-000000-upgrade.backup`];
  for (const name of [...old, ...foreign])
    await connector.write?.(`/${name}`, Readable.from([Buffer.from('x')]), {
      signal: AbortSignal.timeout(20_000),
      ifExists: 'fail',
      size: 1,
    });
  const { backup: second } = await mara.ask(makeBackup, {});
  await eventually(async () => !(await names()).includes(old[0] ?? ''), 'the oldest is deleted');
  await app.services.background.idle();
  await eventually(
    async () => (await names()).filter((name) => name.includes(id) && name.includes('manual')).length === 14,
    'fourteen are kept',
  );
  const left = new Set(await names());
  for (const name of [...foreign, backup.name, second.name]) assert.ok(left.has(name), name);
  const { entries } = await mara.ask(listOperatorLog, {});
  assert.deepEqual(new Set(entries.map(({ action }) => action)), new Set(['backup.make']));
});

test('others neither see nor make backups, and the operator sees why one could not be uploaded', async (t) => {
  const { app, mara } = await stage(t, { SHEAF_BACKUP_FOLDER: linkUriOf('none', '/') });
  assert.equal((await app.visitor().refusal(listBackups, {})).errorCode, 104);
  const { backup } = await mara.ask(makeBackup, {});
  const { backup: next } = await mara.ask(makeBackup, {});
  assert.notEqual(backup.name, next.name, 'two within a second have two names');
  await eventually(async () => (await mara.ask(listBackups, {})).failures.length > 0, 'an upload has failed');
  const { failures } = await mara.ask(listBackups, {});
  assert.deepEqual(
    failures.map(({ step, reason }) => [step, reason]),
    [['upload', 'PermanentFailure: SHEAF_BACKUP_FOLDER is no folder of a link']],
  );
  const public_ = await testApp(t, { settings: { SHEAF_HOST: '0.0.0.0' } });
  const someone = await public_.signUp();
  for (const call of [listBackups, makeBackup] as const) assert.equal((await someone.refusal(call, {})).errorCode, 735);
});
