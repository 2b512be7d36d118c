import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type HandoffAction, type Item, childUri, completeHandoff, getMetadata, startHandoff } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { type Command, type Context, type Options, exactly, textOption } from '#/command.ts';
import { chooseFolder } from '#/copying/choose-folder.ts';
import { type CopyResult, copyTree } from '#/copying/copy-tree.ts';
import { type Destination, type Journal, openJournal } from '#/copying/journal.ts';
import { type News, keepCopied } from '#/copying/keep-copied.ts';
import { holdJob } from '#/copying/lock.ts';
import { Failure, messageOf } from '#/failure.ts';
import { createProgress, formatSize } from '#/progress.ts';
import { asFolder, find, folderAt, makePath, namesOf } from '#/remote-paths.ts';
import { type StatusWriter, createStatusWriter, jobsFolder } from '#/status/job-status.ts';
import { unlessPaused } from '#/status/pausing.ts';

const atATime = 3;
const options = {
  to: { type: 'string' },
  choose: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  name: { type: 'string' },
  checksum: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  watch: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
} as const;

/**
 * Copies a local folder to a folder of a link. In the first run the user chooses that folder on the folder picker's page, and the choice is stored;
 * `--to` names it on the command line instead.
 */
const folderJob = (action: HandoffAction, about: string): Command => ({
  usage: '[--to PATH | --choose] [--no-open] [--name NAME] [--checksum] [--dry-run] [--watch] [-q] FOLDER',
  about,
  options,
  async run(context, args, given) {
    const [typed] = exactly(args, 'FOLDER');
    const isKept = given['watch'] === true;
    if (isKept && given['dry-run'] === true) throw new Failure('--watch copies, and --dry-run does not.', 'usage');
    const job = await openFolderJob(context, { action, folder: await realFolder(typed), given });
    try {
      const onNews = (news: News): void => {
        noteNews(job.status, news);
        tellNews(context, given, news);
      };
      const pass = (): Promise<CopyResult> => unlessPaused(job.file, job.pass, context.signal);
      if (isKept) await keepCopied(job.folder, pass, onNews, context.signal);
      else report(context, given, await runOnce(job, context.signal));
    } finally {
      await job.close();
    }
  },
});

/** The real path of the folder, with symbolic links resolved. */
export const realFolder = (typed: string): Promise<string> =>
  realpath(typed).catch((error: unknown) => {
    throw new Failure(`${typed} cannot be read.`, 'failed', error);
  });

interface FolderJob {
  /** Path of the journal, on which the names of its other files are based. */
  readonly file: string;
  readonly status: StatusWriter;
  readonly folder: string;
  /** Path of the destination, as the user sees it. */
  readonly to: string;
  /** Copies what has changed. */
  pass(signal: AbortSignal): Promise<CopyResult>;
  close(): Promise<void>;
}

/** Locks the job of a folder and finds its destination, which the user chooses the first time. Throws Failure when another process holds the lock. */
export async function openFolderJob(
  context: Context,
  { action, folder, given }: { readonly action: HandoffAction; readonly folder: string; readonly given: Options },
): Promise<FolderJob> {
  const client = await context.client();
  const file = await jobFile(context, action, folder);
  const letGo = await holdJob(`${file}.lock`);
  try {
    const journal = await openJournal(file, { keeps: given['dry-run'] !== true });
    try {
      const job = { action, folder, journal, given };
      const { target, to } = await targetFolder(context, client, job);
      const status = await createStatusWriter(file, { action, folder, to }, { keeps: given['dry-run'] !== true });
      return {
        file,
        status,
        folder,
        to,
        pass: (signal) => copy(client, { ...job, target, status }, signal),
        async close() {
          await status.flush();
          await journal.close();
          await letGo();
        },
      };
    } catch (error) {
      await journal.close();
      throw error;
    }
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** Runs one pass, with a status like a watcher's. */
async function runOnce({ pass, status }: FolderJob, signal: AbortSignal): Promise<CopyResult> {
  try {
    const result = await pass(signal);
    noteNews(status, { kind: 'rests', result });
    return result;
  } catch (error) {
    status.note({ phase: 'waiting', problem: messageOf(error) });
    throw error;
  }
}

function noteNews(status: StatusWriter, news: News): void {
  if (news.kind === 'copying') status.note({ phase: 'copying', failures: [], failed: 0 });
  else if (news.kind === 'rests') {
    const { failed } = news.result;
    status.note({ phase: 'resting', failed, copiedAt: Date.now(), problem: '', again: 0 });
  } else status.note({ phase: 'waiting', problem: news.message, again: Date.now() + news.again });
}

function tellNews({ terminal }: Context, given: Options, news: News): void {
  if (news.kind === 'waits') terminal.tell(`${news.message} Trying again in ${Math.ceil(news.again / 1000)} seconds.`);
  else if (news.kind === 'rests' && given['quiet'] !== true && news.result.copied + news.result.removed + news.result.failed > 0)
    terminal.tell(summaryOf(news.result));
}

export const backup = folderJob(
  'backup',
  'Copies a folder of this computer into a folder of a link, under its own name; what changed since the last run. Deletes nothing there. --watch goes on, and copies what changes.',
);
export const sync = folderJob(
  'sync',
  'Makes a folder of a link like a folder of this computer: copies what changed, and deletes there what it had copied and is gone here. --watch keeps it so.',
);

interface Job {
  readonly action: HandoffAction;
  readonly folder: string;
  readonly journal: Journal;
  readonly given: Options;
}

/** Path of the journal: one per server, command and folder. */
export async function jobFile({ settings, account }: Context, action: HandoffAction, folder: string): Promise<string> {
  const jobs = jobsFolder(settings.folder);
  await mkdir(jobs, { recursive: true, mode: 0o700 });
  const { url } = await account();
  const id = createHash('sha256').update([url, action, folder].join('\0')).digest('hex').slice(0, 24);
  return join(jobs, `${id}.jsonl`);
}

/** The destination folder, created if missing. */
async function targetFolder(
  { terminal, signal }: Context,
  client: Client,
  { action, folder, journal, given }: Job,
): Promise<{ readonly target: Item; readonly to: string }> {
  const name = textOption(given, 'name') ?? basename(folder);
  const to = textOption(given, 'to');
  if (to !== undefined) {
    if (action === 'backup') await checkBackup(client, name, await destinationAt(client, to, signal), signal);
    const { linkUri } = asFolder(given['dry-run'] === true ? await find(client, to, signal) : await makePath(client, to, signal), to);
    await journal.choose({ destinationPath: to, linkUri });
  } else if (given['choose'] === true || !journal.destination()) {
    await journal.choose(await chooseFolder(client, terminal, { action, name, opensBrowser: given['no-open'] !== true }, signal));
  } else if (action === 'backup') {
    await checkBackup(client, name, journal.destination(), signal);
  }
  const chosen = journal.destination();
  if (!chosen) throw new Failure('No folder was chosen.');
  // By address: the link may have been renamed, and another may have its old name.
  const names = action === 'backup' ? namesOf(name) : [];
  const linkUri = names.reduce(childUri, chosen.linkUri);
  const whole = [chosen.destinationPath, ...names].join('/');
  if (given['dry-run'] === true) return { target: asFolder(await client.ask(getMetadata, { linkUri }, signal), whole), to: whole };
  terminal.tell(`Copying ${folder} to ${whole}`);
  return { target: await folderAt(client, linkUri, signal), to: whole };
}

/** Resolves a path of names, whether or not the folder exists. */
async function destinationAt(client: Client, path: string, signal: AbortSignal): Promise<Destination> {
  const [link = '', ...names] = namesOf(path);
  const { linkUri } = await find(client, link, signal);
  return { destinationPath: path, linkUri: names.reduce(childUri, linkUri) };
}

/** Asks the server, as the page does, whether the user may back up; rejects with its refusal (116). */
async function checkBackup(client: Client, name: string, destination: Destination | undefined, signal: AbortSignal): Promise<void> {
  const { processToken } = await client.ask(startHandoff, { action: 'backup', name }, signal);
  await client.ask(completeHandoff, { processToken, processData: JSON.stringify(destination) }, signal);
}

function copy(
  client: Client,
  { action, folder, journal, given, target, status }: Job & { target: Item; status: StatusWriter },
  signal: AbortSignal,
): Promise<CopyResult> {
  const progress = status.following(createProgress(process.stderr, Date.now, { quiet: given['quiet'] === true }));
  return copyTree(
    client,
    {
      root: folder,
      target,
      journal,
      removesGone: action === 'sync',
      byHash: given['checksum'] === true,
      dryRun: given['dry-run'] === true,
      atATime,
      progress,
    },
    signal,
  );
}

function report({ terminal }: Context, given: Options, result: CopyResult): void {
  if (given['quiet'] !== true) terminal.tell(summaryOf(result, given['dry-run'] === true ? 'would be copied' : 'copied'));
  if (result.failed > 0) throw new Failure(`${result.failed} items could not be copied. Run it again to try only these.`, 'incomplete');
}

/** The result of a pass as a sentence. */
function summaryOf({ copied, bytes, unchanged, removed, skipped, failed }: CopyResult, verb = 'copied'): string {
  const parts = [
    `${copied} ${copied === 1 ? 'file' : 'files'} ${verb} (${formatSize(bytes)})`,
    `${unchanged} unchanged`,
    ...(removed > 0 ? [`${removed} deleted`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return `${parts.join(', ')}.`;
}
