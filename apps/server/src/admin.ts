/** `npm run admin -- <command>`: work on an installation from its command line. */
import { ConfigError, readConfig } from './platform/config/config.ts';

const help = `npm run admin -- <command>, with the settings that Sheaf itself has:

  backup [file]              Makes a backup while Sheaf runs, into backups/ of the data folder or the file.
  verify <file>              Restores a backup into nowhere, and tells what is in it.
  restore <file>             Restores a backup into an empty data folder or database.
  move-database to-postgres  Copies the embedded database to SHEAF_DATABASE_URL. Stop Sheaf before.
  move-database to-sqlite    Copies SHEAF_DATABASE_URL to the embedded database. Stop Sheaf before.
  doctor                     Checks the installation, as the page Health does, and tells what to do.
  settings                   Lists all settings, as docs/settings.md does.

docs/backup.md tells more. SHEAF_BACKUP_PASSPHRASE seals backups and opens them.
`;

try {
  const config = readConfig();
  const [command = '', argument, ...rest] = process.argv.slice(2);
  const { commands } = await import('./admin/commands.ts');
  const run = rest.length === 0 ? commands[command] : undefined;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (!run || !(await run(config, argument, say))) {
    process.stderr.write(help);
    process.exitCode = 2;
  }
} catch (error) {
  const { sentenceOf } = await import('./admin/sentences.ts');
  process.stderr.write(`${error instanceof ConfigError ? error.message : sentenceOf(error)}\n`);
  process.exitCode = 1;
}
