import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, settingsTable } from '#/platform/config/config.ts';
import { withSnapshot } from '#/platform/db/copies/snapshot.ts';
import { fillDatabase } from '#/platform/db/copies/write.ts';
import { createBackups, restoreBackup, verifyBackup } from '#/secrets/backups/service.ts';
import { masterKeys } from '#/secrets/master-key.ts';
import { examine } from './doctor.ts';

/** Runs a command; false when it was called in a wrong way. */
type Command = (config: Config, argument: string | undefined, say: (line: string) => void) => Promise<boolean>;

const backup: Command = async (config, path, say) => {
  const { current } = await masterKeys(config);
  const made = await createBackups(config, current).make('manual', path === undefined ? undefined : resolve(path));
  say(`${made.path} (${made.bytes} bytes)`);
  if (config.backupPassphrase === '')
    say('Its key is not in it. Please keep secret.key, or SHEAF_SECRET_KEY, apart: nothing opens this backup without it.');
  return true;
};

const verify: Command = async (config, path, say) => {
  if (path === undefined) return false;
  const { head, accounts, links, secrets, unreadable, rows } = await verifyBackup(config, resolve(path));
  say(`Made ${new Date(head.madeAt * 1000).toISOString()}, whole, sealed with ${head.sealedWith === 'key' ? 'the key' : 'a passphrase'}.`);
  say(`${accounts} accounts, ${links} links, ${secrets} secrets, ${rows} rows.`);
  if (unreadable > 0) say(`${unreadable} of the secrets are opened by no key: their links have to be set up again.`);
  return true;
};

const restore: Command = async (config, path, say) => {
  if (path === undefined) return false;
  const rows = await restoreBackup(config, resolve(path));
  say(`Restored ${rows} rows. Everybody has to sign in again.`);
  return true;
};

const moveDatabase: Command = async ({ dataDir, databaseUrl }, way, say) => {
  if (databaseUrl === '' || (way !== 'to-postgres' && way !== 'to-sqlite')) return false;
  const [from, to] = way === 'to-postgres' ? ['', databaseUrl] : [databaseUrl, ''];
  const counts = await withSnapshot({ databaseUrl: from, dataDir, alone: true }, (snapshot) =>
    fillDatabase({ databaseUrl: to, dataDir }, snapshot),
  );
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (way === 'to-postgres') {
    // Not used by mistake once the setting is gone.
    await rename(join(dataDir, 'sheaf.db'), join(dataDir, 'sheaf.db.moved'));
    say(`Moved ${rows} rows. Sheaf now starts on Postgres; the former database is sheaf.db.moved in the data folder.`);
  } else say(`Moved ${rows} rows. Remove SHEAF_DATABASE_URL from the settings: Sheaf then starts on the embedded database.`);
  return true;
};

const settings: Command = (_config, _argument, say) => {
  say(settingsTable());
  return Promise.resolve(true);
};

const doctor: Command = async (config, argument, say) => {
  if (argument !== undefined) return false;
  const problems = await examine(config, say);
  if (problems > 0) process.exitCode = 1;
  say(problems === 0 ? 'Nothing needs attention.' : `${problems} ${problems === 1 ? 'thing needs' : 'things need'} attention.`);
  return true;
};

export const commands: Readonly<Record<string, Command>> = { backup, verify, restore, doctor, settings, 'move-database': moveDatabase };
