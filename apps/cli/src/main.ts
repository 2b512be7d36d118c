import { parseArgs } from 'node:util';
import { createClient } from './client.ts';
import type { Command, Context } from './command.ts';
import { cp, mkdir, mv, rm } from './commands/changing.ts';
import { find } from './commands/find.ts';
import { backup, sync } from './commands/folder-job.ts';
import { get } from './commands/get.ts';
import { links, ls } from './commands/listing.ts';
import { mount, unmount } from './commands/mount.ts';
import { put } from './commands/put.ts';
import { service } from './commands/service.ts';
import { share } from './commands/share.ts';
import { login, signIn, signOut } from './commands/sign-in.ts';
import { pause, resume, status } from './commands/status.ts';
import { vault } from './commands/vault.ts';
import { verify } from './commands/verify.ts';
import { Failure, asDiskFull, exitCodes, isSystemError, messageOf } from './failure.ts';
import { createHttp } from './http.ts';
import { printable } from './names.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { version } from './version.ts';

const commands: Readonly<Record<string, Command>> = {
  login,
  'sign-in': signIn,
  'sign-out': signOut,
  links,
  ls,
  find,
  get,
  put,
  cp,
  mv,
  rm,
  mkdir,
  share,
  backup,
  sync,
  service,
  status,
  mount,
  unmount,
  pause,
  resume,
  vault,
  verify,
};

const describe = (): string =>
  [
    'sheaf: all your storage from the command line.',
    '',
    ...Object.entries(commands).map(([name, { usage, about }]) => `sheaf ${`${name} ${usage}`.trim()}\n    ${about}`),
    '',
    'Paths begin with the name of a link: "My NAS/Photos/2026".',
    'SHEAF_URL and SHEAF_TOKEN sign in without a file; SHEAF_CLI_DIR is where the program keeps what it knows.',
  ].join('\n');

async function main(argv: readonly string[], signal: AbortSignal): Promise<void> {
  const [name = '', ...rest] = argv;
  if (name === '--version') return terminal.print(version);
  if (name === '' || name === 'help' || name === '--help' || name === '-h') return terminal.print(describe());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Failure(`There is no command ${name}. "sheaf --help" lists them.`, 'usage');
  const { positionals, values } = parse(name, command, rest);
  if (values['help'] === true) return terminal.print(`sheaf ${name} ${command.usage}\n    ${command.about}`);
  const http = createHttp();
  const settings = readSettings();
  const context: Context = {
    settings,
    terminal,
    http,
    signal,
    account: settings.account,
    client: async () => createClient(http, await settings.account()),
  };
  try {
    await command.run(context, positionals, values as Record<string, string | boolean | undefined>);
  } finally {
    http.close();
  }
}

function parse(name: string, { options = {}, usage }: Command, args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...options, help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    throw new Failure(`${messageOf(error)}\nsheaf ${name} ${usage}`, 'usage', error);
  }
}

const stopping = new AbortController();
const stop = (): void => stopping.abort(new Failure('Stopped. What was copied so far is kept; run it again to go on.', 'interrupted'));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
// The reader of the output may close it early, as "head" does.
process.stdout.on('error', (error) => {
  if (isSystemError(error, 'EPIPE')) process.exit(0);
  terminal.tell(messageOf(asDiskFull(error, 'the output')));
  process.exit(exitCodes.failed);
});

try {
  await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  const failure: unknown = stopping.signal.aborted ? stopping.signal.reason : asDiskFull(error, 'what it keeps');
  terminal.tell(failure instanceof Failure ? printable(failure.message).replaceAll('\\u000a', '\n') : `sheaf: ${messageOf(failure)}`);
  process.exitCode = exitCodes[failure instanceof Failure ? failure.exit : 'failed'];
}
