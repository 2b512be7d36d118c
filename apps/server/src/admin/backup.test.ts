import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emailLogin, isSession, sessionInfo } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { readConfig } from '#/platform/config/config.ts';
import { openDatabase } from '#/platform/db/database.ts';
import { createLog } from '#/platform/log.ts';
import { createBackups } from '#/secrets/backups/service.ts';
import { createServices } from '#/services.ts';
import { testApp } from '#/testing/app.ts';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, linkApp, rowsOf, sftpInfo } from '#/testing/links.ts';
import { commands } from './commands.ts';
import { sentenceOf } from './sentences.ts';

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-backup-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
/** Settings of an installation without any data. */
const emptyPlace = async (t: TestContext) => ({
  SHEAF_DATA_DIR: await emptyFolder(t),
  SHEAF_DATABASE_URL: await testDatabase({ empty: true }),
});

/** Runs a command of the administrator; returns what it says. */
async function admin(settings: Readonly<Record<string, string>>, command: string, argument?: string): Promise<string> {
  const lines: string[] = [];
  assert.equal(await commands[command]?.(readConfig(settings), argument, (line) => void lines.push(line)), true);
  return lines.join('\n');
}
const refusal = (settings: Readonly<Record<string, string>>, command: string, argument: string): Promise<string> =>
  admin(settings, command, argument).then(
    (said) => assert.fail(`was not refused: ${said}`),
    (error: unknown) => sentenceOf(error),
  );

test('a backup under fifty busy people holds what each had and every secret, and comes back on another machine with another address', async (t) => {
  const { user, signUp, config, source } = await linkApp(t);
  await addSftp(user, 'Before');
  const people = [user];
  for (let index = 1; index < 50; index++) people.push(await signUp());
  const passphrase = { SHEAF_BACKUP_PASSPHRASE: 'correct horse battery' };
  const here = { SHEAF_DATA_DIR: config.dataDir, SHEAF_DATABASE_URL: config.databaseUrl, ...passphrase };
  let isOver = false;
  const made = new Map(people.map(({ userId }) => [userId, 0]));
  const workers = people.map(async (person) => {
    for (let index = 0; !isOver; index++) {
      await addSftp(person, `Link ${index}`);
      made.set(person.userId, index + 1);
    }
  });
  await eventually(async () => [...made.values()].every((count) => count > 0), 'all are busy');
  const before = new Map(made);
  const file = join(await emptyFolder(t), 'sheaf.backup');
  await admin(here, 'backup', file);
  const after = new Map(made);
  isOver = true;
  await Promise.all(workers);
  assert.ok(
    people.some(({ userId }) => (after.get(userId) ?? 0) > (before.get(userId) ?? 0)),
    'people went on working meanwhile',
  );
  assert.equal((await stat(file)).mode & 0o777, 0o600);

  const other = await emptyPlace(t);
  assert.match(
    await admin({ ...other, ...passphrase }, 'verify', file),
    /^Made .*, whole, sealed with a passphrase\.\n50 accounts, \d+ links/,
  );
  assert.deepEqual(await readdir(other.SHEAF_DATA_DIR), [], 'verifying leaves nothing');
  assert.match(await refusal(other, 'restore', file), /Please set SHEAF_BACKUP_PASSPHRASE/);
  assert.match(await refusal({ ...other, SHEAF_BACKUP_PASSPHRASE: 'incorrect horse' }, 'restore', file), /passphrase is wrong/);
  assert.match(await admin({ ...other, ...passphrase }, 'restore', file), /Everybody has to sign in again/);
  assert.match(await refusal({ ...other, ...passphrase }, 'restore', file), /There is data already, which is never replaced/);

  const passwords: unknown[] = [];
  const { definition } = source;
  const restored = await testApp(t, {
    settings: { ...other, SHEAF_PUBLIC_URL: 'https://elsewhere.example' },
    findDefinition: () =>
      Promise.resolve({
        ...definition,
        open(info, env) {
          passwords.push((info as Record<string, string>)['password']);
          return definition.open(info as Record<string, string>, env);
        },
      }),
  });
  const visitor = restored.visitor();
  assert.ok(isSession(await visitor.ask(emailLogin, { email: user.email, password: user.password })));
  const links = await rowsOf({ ...user, ...visitor });
  assert.ok(links.some(({ name }) => name === 'Before'));
  for (const { userLinkId } of links) await restored.services.connections.open(user.userId, userLinkId);
  assert.deepEqual(new Set(passwords), new Set([sftpInfo.password]));
  assert.equal(passwords.length, links.length);
  for (const { userId } of people) {
    const { length } = await restored.services.db
      .selectFrom('link')
      .innerJoin('link_secret', 'link_secret.linkId', 'link.id')
      .select('link.id')
      .distinct()
      .where('accountId', '=', userId)
      .where('link.name', 'like', 'Link %')
      .execute();
    // The last one may have been stored before its answer arrived.
    assert.ok(length >= (before.get(userId) ?? 0) && length <= (after.get(userId) ?? 0) + 1, `${length} links of somebody`);
  }
  assert.ok(await user.ask(sessionInfo, {}), 'the running installation goes on');
});

test('without a passphrase the key seals the backup and is not in it; what is damaged, cut or foreign is refused in plain words', async (t) => {
  const { user, config } = await linkApp(t);
  await addSftp(user, 'Attic');
  const here = { SHEAF_DATA_DIR: config.dataDir, SHEAF_DATABASE_URL: config.databaseUrl };
  const folder = await emptyFolder(t);
  const file = join(folder, 'sheaf.backup');
  assert.match(await admin(here, 'backup', file), /keep secret\.key/);
  assert.match(await refusal(here, 'backup', file), /exists already/);
  assert.match(await admin(here, 'verify', file), /1 accounts, 1 links, 1 secrets/);
  const bytes = await readFile(file);
  const variant = async (name: string, content: Buffer): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(2000) ^ 1, 2000);
  const other = await emptyPlace(t);
  assert.match(await refusal(other, 'restore', file), /that installation's secret\.key/);
  await writeFile(join(other.SHEAF_DATA_DIR, 'secret.key'), await readFile(join(config.dataDir, 'secret.key')));
  assert.match(await refusal(other, 'restore', await variant('changed', changed)), /damaged/);
  assert.match(await refusal(other, 'restore', await variant('cut', bytes.subarray(0, -100))), /incomplete/);
  assert.match(await refusal(other, 'verify', await variant('foreign', Buffer.from('%PDF-1.7'))), /no backup of Sheaf/);
  assert.deepEqual(await readdir(other.SHEAF_DATA_DIR), ['secret.key'], 'refusals leave nothing');
  await admin(other, 'restore', file);
  assert.match(await admin(other, 'backup'), /backups\/sheaf-/);
});

test('before the tables of an existing database change, a backup is made, and a newer database is refused', async (t) => {
  const settings = await emptyPlace(t);
  const config = readConfig({ ...settings, SHEAF_LOG_LEVEL: 'silent' });
  const log = createLog('silent');
  const made = () => readdir(join(config.dataDir, 'backups')).catch((): string[] => []);
  const first = await createServices(config, log, { schedules: false });
  assert.deepEqual(await made(), [], 'a new database needs none');
  await first.close();
  // As a version before the last migration left it.
  const options = { ...config, onLostConnection: () => undefined };
  const old = await openDatabase(options);
  const books = old.db.withTables<{ migration: { name: string; appliedAt: number } }>();
  await books.deleteFrom('migration').where('name', '=', '063-vaults').execute();
  for (const column of ['wrapped', 'options']) await old.db.schema.alterTable('encryption_folder').dropColumn(column).execute();
  await old.close();
  const second = await createServices(config, log, { schedules: false });
  const [name, ...more] = await made();
  assert.match(name ?? '', /-upgrade\.backup$/);
  assert.deepEqual(more, []);
  await second.close();
  const place = await emptyPlace(t);
  await writeFile(join(place.SHEAF_DATA_DIR, 'secret.key'), await readFile(join(config.dataDir, 'secret.key')));
  await admin(place, 'restore', join(config.dataDir, 'backups', name ?? ''));

  const newer = await openDatabase(options);
  await newer.db
    .withTables<{ migration: { name: string; appliedAt: number } }>()
    .insertInto('migration')
    .values({ name: '999-later', appliedAt: 1 })
    .execute();
  await newer.close();
  await assert.rejects(createServices(config, log, { schedules: false }), /written by a newer version of Sheaf/);
  const later = await createBackups(
    config,
    await readFile(join(config.dataDir, 'secret.key'), 'utf8').then((text) => Buffer.from(text, 'base64')),
  ).make('manual');
  assert.match(await refusal(settings, 'verify', later.path), /newer version/);
});
