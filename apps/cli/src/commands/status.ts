import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, type Context, exactly } from '#/command.ts';
import { Failure } from '#/failure.ts';
import { printable } from '#/names.ts';
import { type JobView, readJobs } from '#/status/job-status.ts';
import { setPaused } from '#/status/pausing.ts';
import { serveStatus } from '#/status/server.ts';
import { sentenceOf } from '#/status/words.ts';

export const status: Command = {
  usage: '[--json | --open | --serve]',
  about:
    'Tells how the folders fare that are copied from this computer: what is copied, what waits, and the last error. --open shows a page with the same in the browser, which pauses and resumes too; --serve only prints its address, which opens it once. The page is served on this computer alone, until Ctrl-C or until nobody looks any more.',
  options: { json: { type: 'boolean' }, open: { type: 'boolean' }, serve: { type: 'boolean' } },
  async run(context, args, options) {
    exactly(args);
    const { settings, terminal } = context;
    if (options['open'] === true || options['serve'] === true) return serve(context, options['open'] === true);
    const jobs = await readJobs(settings.folder);
    if (options['json'] === true) {
      for (const job of jobs) terminal.print(JSON.stringify(job));
      return;
    }
    if (jobs.length === 0) terminal.tell('No folder is copied from this computer yet.');
    for (const job of jobs) {
      terminal.print(printable(`${job.folder} (${job.action}) to ${job.to}`));
      terminal.print(`    ${printable(sentenceOf(job))}`);
      for (const { path, message } of job.failures) terminal.print(printable(`    ${path}: ${message}`));
    }
  },
};

async function serve({ settings, terminal, signal }: Context, opensBrowser: boolean): Promise<void> {
  const account = async (): Promise<string> => {
    try {
      return (await settings.account()).url;
    } catch (error) {
      if (error instanceof Failure) return '';
      throw error;
    }
  };
  const { address, ended } = await serveStatus({ settings: settings.folder, account, signal });
  terminal.tell(`This address opens the page once:\n${address}`);
  if (opensBrowser) terminal.openBrowser(address);
  await ended;
}

const pausing = (isPaused: boolean, about: string): Command => ({
  usage: '[FOLDER]',
  about,
  async run({ settings, terminal }, args) {
    const [typed] = args.length === 0 ? [] : exactly(args, 'FOLDER');
    const folder = typed === undefined ? undefined : await realpath(typed).catch(() => resolve(typed));
    const jobs = (await readJobs(settings.folder)).filter((job) => folder === undefined || job.folder === folder);
    if (jobs.length === 0)
      throw new Failure(folder === undefined ? 'No folder is copied from this computer.' : `${printable(folder)} is not copied from here.`);
    for (const job of jobs) await setPaused(settings.folder, job, isPaused);
    terminal.tell(`${jobs.map(nameOf).join(', ')}: ${isPaused ? 'paused' : 'goes on'}.`);
  },
});
const nameOf = ({ folder, action }: JobView): string => printable(`${folder} (${action})`);

export const pause = pausing(
  true,
  'Pauses the copying of a folder that is watched, or of all of them, also after a new start of the computer.',
);
export const resume = pausing(false, 'Lets the copying of a paused folder, or of all of them, go on.');
