import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import type { HandoffAction } from '@sheaf/contract';
import { type Command, type Context, type Options, exactly } from '#/command.ts';
import { Failure, isSystemError } from '#/failure.ts';
import { printable } from '#/names.ts';
import { type Unit, unitFor } from '#/service/units.ts';
import { forgetStatus } from '#/status/job-status.ts';
import { jobFile, openFolderJob, realFolder } from './folder-job.ts';

export const service: Command = {
  usage: 'add [--backup] [--to PATH] FOLDER | remove [--backup] FOLDER',
  about:
    'Keeps a folder copied whenever you are signed in to this computer, as "sheaf sync --watch" does, or "sheaf backup --watch" with --backup: by systemd on Linux, launchd on macOS, and the Task Scheduler on Windows.',
  options: { backup: { type: 'boolean' }, to: { type: 'string' } },
  async run(context, args, options) {
    const [verb, typed] = exactly(args, '"add" or "remove"', 'FOLDER');
    if (verb === 'add') await add(context, await realFolder(typed), options);
    else if (verb === 'remove') await remove(context, await whereItWas(typed), options);
    else throw new Failure(`There is no ${printable(verb)} here, only add and remove.`, 'usage');
  },
};

const actionOf = (options: Options): HandoffAction => (options['backup'] === true ? 'backup' : 'sync');

async function add(context: Context, folder: string, options: Options): Promise<void> {
  const action = actionOf(options);
  if ([...folder].some((sign) => sign < ' ')) throw new Failure('The name of this folder has a sign that no service can hold.');
  const unit = await unitOf(context, action, folder);
  // A service does not get the environment of this terminal, so it needs the stored sign-in.
  if (context.settings.env['SHEAF_TOKEN'] !== undefined)
    throw new Failure('A service needs a stored sign-in. Sign in with: sheaf login ADDRESS, without SHEAF_TOKEN.', 'usage');
  // The user chooses the destination now, because a service cannot ask.
  const job = await openFolderJob(context, { action, folder, given: options });
  await job.close();
  await mkdir(dirname(unit.file), { recursive: true });
  await writeFile(unit.file, unit.content);
  try {
    await runAll(unit.start);
  } catch (error) {
    await rm(unit.file, { force: true });
    throw error;
  }
  context.terminal.tell(`${folder} is copied to ${job.to} from now on, whenever you are signed in to this computer.`);
}

async function remove(context: Context, folder: string, options: Options): Promise<void> {
  const unit = await unitOf(context, actionOf(options), folder);
  try {
    await stat(unit.file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) throw new Failure(`${folder} is not kept copied by a service.`, 'failed', error);
    throw error;
  }
  await runAll(unit.stop);
  await rm(unit.file);
  await forgetStatus(await jobFile(context, actionOf(options), folder));
  context.terminal.tell(`${folder} is no longer copied by itself. What was copied stays.`);
}

/** Real path of a folder, which may no longer exist. */
const whereItWas = (typed: string): Promise<string> => realpath(typed).catch(() => resolve(typed));

async function unitOf({ settings }: Context, action: HandoffAction, folder: string): Promise<Unit> {
  const own = process.argv[1] ?? '';
  const unit = unitFor(
    { platform: process.platform, home: homedir(), env: settings.env, uid: userInfo().uid },
    {
      id: createHash('sha256').update([settings.folder, action, folder].join('\0')).digest('hex').slice(0, 12),
      title: `Sheaf copies ${basename(folder)}`,
      command: [process.execPath, await realpath(own), action, '--watch', '--quiet', folder],
      environment: { SHEAF_CLI_DIR: resolve(settings.folder) },
    },
  );
  if (!unit) throw new Failure('This system has none of systemd, launchd and the Task Scheduler.');
  return unit;
}

async function runAll(commands: readonly (readonly string[])[]): Promise<void> {
  for (const [program = '', ...args] of commands) {
    const code = await new Promise<number | null>((done, fail) => {
      const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      child.once('error', (error) => fail(new Failure(`${program} cannot be run here.`, 'failed', error)));
      child.once('close', done);
    });
    if (code !== 0) throw new Failure(`"${[program, ...args].join(' ')}" failed.`);
  }
}
