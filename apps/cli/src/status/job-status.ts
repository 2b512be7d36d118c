import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HandoffAction } from '@sheaf/contract';
import { isJobHeld } from '#/copying/lock.ts';
import { isSystemError } from '#/failure.ts';
import { recordIn } from '#/json.ts';
import type { Progress } from '#/progress.ts';
import { writePrivately } from '#/settings.ts';

/** Maximum number of failures listed. */
const mostNamed = 20;
/** Milliseconds between two writes during a pass. */
const longestPause = 1000;

/** Status that a run writes to a file readable by its user only. Times are epoch milliseconds. */
export interface JobStatus {
  readonly action: HandoffAction;
  readonly folder: string;
  /** Path of the destination, as the user sees it. */
  readonly to: string;
  readonly phase: 'copying' | 'resting' | 'waiting';
  /** Files and bytes to copy in this pass, and the numbers copied so far. */
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  /** The end of the last pass that reached the server; 0 before. */
  readonly copiedAt: number;
  /** Why nothing can be copied, or empty; and the time of the next attempt, or 0. */
  readonly problem: string;
  readonly again: number;
  /** Files that the last pass could not copy, and their number. */
  readonly failed: number;
  readonly failures: readonly { readonly path: string; readonly message: string }[];
}

/** The status of a folder, including whether it is paused and whether anything runs. */
export interface JobView extends JobStatus {
  readonly id: string;
  readonly state: 'copying' | 'resting' | 'waiting' | 'paused' | 'stopped';
}

const [statusEnd, pausedEnd, lockEnd] = ['.status.json', '.paused', '.lock'];
/** The file that pauses a job while it exists. */
export const pausedFile = (job: string): string => job + pausedEnd;
const statusFile = (job: string): string => job + statusEnd;

const atFirst = {
  phase: 'copying',
  files: 0,
  filesDone: 0,
  bytes: 0,
  bytesDone: 0,
  copiedAt: 0,
  problem: '',
  again: 0,
  failed: 0,
  failures: [],
} as const satisfies Omit<JobStatus, 'action' | 'folder' | 'to'>;

export interface StatusWriter {
  note(change: Partial<JobStatus>): void;
  /** Wraps a Progress to update the status from it. */
  following(progress: Progress): Progress;
  /** Writes the status now. */
  flush(): Promise<void>;
}

/** Writes the status of a job to its file, at most once a second; never with `keeps` false. Ignores failed writes. */
export async function createStatusWriter(
  job: string,
  about: Pick<JobStatus, 'action' | 'folder' | 'to'>,
  { keeps = true } = {},
): Promise<StatusWriter> {
  const before = await readStatus(job);
  let status: JobStatus = { ...atFirst, ...about, copiedAt: before?.copiedAt ?? 0 };
  let isNoted = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (!keeps || !isNoted) return writing;
    isNoted = false;
    const file = statusFile(job);
    writing = writing.then(() => writePrivately(dirname(file), file, `${JSON.stringify(status)}\n`)).catch(() => undefined);
    return writing;
  };
  const note = (change: Partial<JobStatus>): void => {
    const isNewPhase = change.phase !== undefined && change.phase !== status.phase;
    status = { ...status, ...change };
    isNoted = true;
    if (isNewPhase) void write();
    else timer ??= setTimeout(() => void write(), longestPause).unref();
  };
  return {
    note,
    flush: write,
    following: (progress) => ({
      ...progress,
      begin(files, bytes) {
        note({ files, bytes, filesDone: 0, bytesDone: 0 });
        progress.begin(files, bytes);
      },
      moved(bytes) {
        note({ bytesDone: status.bytesDone + bytes });
        progress.moved(bytes);
      },
      done() {
        note({ filesDone: status.filesDone + 1 });
        progress.done();
      },
      complain(path, message) {
        if (status.failures.length < mostNamed) note({ failures: [...status.failures, { path, message }] });
        progress.complain(path, message);
      },
    }),
  };
}

/** Deletes the status and pause files of a removed job. */
export async function forgetStatus(job: string): Promise<void> {
  for (const file of [statusFile(job), pausedFile(job)]) await rm(file, { force: true });
}

/** The folder of all jobs, below the settings folder. */
export const jobsFolder = (settings: string): string => join(settings, 'jobs');

/** Reads all jobs of this computer, sorted by folder. */
export async function readJobs(settings: string): Promise<JobView[]> {
  const folder = jobsFolder(settings);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  });
  const views = await Promise.all(
    names.filter((name) => name.endsWith(statusEnd)).map((name) => viewOf(folder, name.slice(0, -statusEnd.length))),
  );
  return views
    .filter((view) => view !== undefined)
    .toSorted((a, b) => a.folder.localeCompare(b.folder) || a.action.localeCompare(b.action));
}

async function viewOf(folder: string, id: string): Promise<JobView | undefined> {
  const job = join(folder, id);
  const status = await readStatus(job);
  if (!status) return undefined;
  const isPaused = await exists(pausedFile(job));
  const state = isPaused ? 'paused' : (await isJobHeld(job + lockEnd)) ? status.phase : 'stopped';
  return { ...status, id, state };
}

/** Reads the status of a job; undefined if it is missing, unreadable or damaged: a status only informs, so it must not stop a job. */
const readStatus = async (job: string): Promise<JobStatus | undefined> => statusIn(await readFile(statusFile(job), 'utf8').catch(() => ''));

/** Parses a status; undefined for other text, such as that of another version. */
function statusIn(text: string): JobStatus | undefined {
  const { action, folder, to, phase, failures, problem, ...numbers } = recordIn(text) ?? {};
  const [files, filesDone, bytes, bytesDone, copiedAt, again, failed] = numberNames.map((name) => numbers[name]).filter(isNumber);
  if (
    (action !== 'sync' && action !== 'backup') ||
    (phase !== 'copying' && phase !== 'resting' && phase !== 'waiting') ||
    typeof folder !== 'string' ||
    typeof to !== 'string' ||
    typeof problem !== 'string' ||
    files === undefined ||
    filesDone === undefined ||
    bytes === undefined ||
    bytesDone === undefined ||
    copiedAt === undefined ||
    again === undefined ||
    failed === undefined ||
    !Array.isArray(failures) ||
    !failures.every(isFailure)
  )
    return undefined;
  return { action, folder, to, phase, files, filesDone, bytes, bytesDone, copiedAt, problem, again, failed, failures };
}
const numberNames = ['files', 'filesDone', 'bytes', 'bytesDone', 'copiedAt', 'again', 'failed'] as const;
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isFailure = (value: unknown): value is JobStatus['failures'][number] =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'message' in value &&
  typeof value.message === 'string';

export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}
