import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import type { HealthProblem } from '@sheaf/contract';
import type { Config } from '#/platform/config/config.ts';
import { probeToken } from '#/serving/health/probe-routes.ts';
import { type Finding, examineAddress } from './public-address.ts';

/** What the checks look at. */
export interface Examined {
  readonly config: Config;
  /** Epoch seconds. */
  readonly now: () => number;
  /** When Sheaf started, in epoch seconds; undefined when it need not run. */
  readonly startedAt: number | undefined;
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
  readonly countFailingJobs: () => Promise<number>;
  /** When the newest backup was made, in epoch seconds; undefined without one. */
  readonly lastBackupAt: () => Promise<number | undefined>;
  /** Connects to the mail server; undefined without one. */
  readonly checkMail: (() => Promise<void>) | undefined;
  /** Signs the requests that the installation sends to its own public address. */
  readonly key: Buffer;
}

interface Check {
  /** What it looks at, for the command line. */
  readonly title: string;
  /** Asks other machines, which takes seconds. */
  readonly isSlow: boolean;
  run(examined: Examined, signal: AbortSignal): Promise<readonly Finding[]>;
}

/** Bytes and share of the disk below which it counts as low. */
const [lowBytes, lowShare] = [1 << 30, 0.05];
/** Milliseconds after which an answer of the database counts as slow, and as missing. */
const [slow, silent] = [250, 10_000];
/** Seconds after which a nightly backup counts as old. */
const old = 2 * 86_400;
/** Limit of open files below which a process may run out of them. */
const fewFiles = 4096;
/** Milliseconds for all slow checks together, and for one provider. */
const checkTime = 25_000;
const providerTime = 8000;
/** Most providers that are asked. */
const mostProviders = 6;
/** Seconds by which this clock may differ from another one. */
const clockDiffers = 60;
/** The bits of a file's mode that give rights to the group and to others. */
const ofOthers = 0o077;

const when = (isSo: boolean, problem: HealthProblem, detail?: string): readonly Finding[] =>
  isSo ? [{ problem, ...(detail !== undefined && { detail }) }] : [];

/** All checks, for the page and for the command line. */
export const checks: readonly Check[] = [
  {
    title: 'Room on the disk',
    isSlow: false,
    async run({ config }) {
      const { bavail, blocks, bsize } = await statfs(config.dataDir);
      const free = bavail * bsize;
      return when(free < lowBytes || free < blocks * bsize * lowShare, 'diskLow');
    },
  },
  {
    title: 'Rights of the data folder',
    isSlow: false,
    async run({ config: { dataDir } }) {
      const { mode } = await stat(dataDir);
      const isWritable = await access(dataDir, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
      return [...when(!isWritable, 'dataFolderReadOnly'), ...when((mode & ofOthers) !== 0, 'dataFolderOpen')];
    },
  },
  {
    title: 'Open files',
    isSlow: false,
    async run() {
      const limit = await fileLimit();
      return when(limit !== undefined && limit < fewFiles, 'fileLimitLow', limit === undefined ? undefined : String(limit));
    },
  },
  {
    title: 'Database',
    isSlow: false,
    async run({ ping }) {
      let before = performance.now();
      try {
        // The first question may have to open a connection.
        await within(ping(), silent);
        before = performance.now();
        await within(ping(), silent);
      } catch {
        // The reason is only in the log: it may quote the address with its password.
        return when(true, 'databaseSilent');
      }
      return when(performance.now() - before > slow, 'databaseSlow');
    },
  },
  {
    title: 'Settings of mail and address',
    isSlow: false,
    run: async ({ config: { smtpUrl, publicUrl, isPrivate } }) => [
      ...when(smtpUrl === '' && !isPrivate, 'mailOnDisk'),
      ...when(publicUrl.startsWith('http:') && !isPrivate, 'plainHttp'),
    ],
  },
  { title: 'Background jobs', isSlow: false, run: async ({ countFailingJobs }) => when((await countFailingJobs()) > 0, 'jobsFail') },
  {
    title: 'Backups',
    isSlow: false,
    async run({ config, lastBackupAt, startedAt, now }) {
      if (config.backup !== 'daily') return [];
      const at = await lastBackupAt();
      if (at !== undefined) return when(now() - at > old, 'backupOld');
      return when(startedAt !== undefined && now() - startedAt > old, 'noBackup');
    },
  },
  {
    title: 'Public address and proxy',
    isSlow: true,
    run: ({ config: { publicUrl }, key, now }, signal) => examineAddress({ publicUrl, token: probeToken(key, now()), now, signal }),
  },
  {
    title: 'Mail server',
    isSlow: true,
    async run({ checkMail }) {
      try {
        await checkMail?.();
        return [];
      } catch (error) {
        return when(true, 'mailUnreachable', error instanceof Error ? error.message : undefined);
      }
    },
  },
  { title: 'Outgoing connections and clock', isSlow: true, run: askProviders },
];

/** Runs the checks at the same time. A check that fails reports nothing, and its error goes to `onTrouble`. */
export async function runChecks(
  some: readonly Check[],
  examined: Examined,
  onTrouble: (error: unknown, title: string) => void,
): Promise<{ readonly title: string; readonly findings: readonly Finding[] }[]> {
  const signal = AbortSignal.timeout(checkTime);
  return Promise.all(
    some.map(async ({ title, run }) => {
      const findings = await run(examined, signal).catch((error: unknown): readonly Finding[] => {
        onTrouble(error, title);
        return [];
      });
      return { title, findings };
    }),
  );
}

/** The soft limit of open files of this process, where the system tells it. */
async function fileLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, limit] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
  return limit === undefined ? undefined : Number(limit);
}

/** Asks the providers whose settings are given: any HTTP answer shows that they are reached, and its date whether the clock is right. */
async function askProviders({ config, now }: Examined, signal: AbortSignal): Promise<readonly Finding[]> {
  const apps = Object.values(config.providers).filter(({ clientId = '' }) => clientId !== '');
  const urls = [
    ...apps.flatMap(({ tokenUrl, issuerUrl }) => tokenUrl ?? issuerUrl ?? []),
    ...Object.values(config.oidc).map((one) => one.issuerUrl),
  ];
  const origins = [...new Set(urls.map((url) => new URL(url).origin))].slice(0, mostProviders);
  const answers = await Promise.all(
    origins.map(async (origin) => {
      try {
        // oxlint-disable-next-line no-restricted-globals -- an answer to HEAD has no body
        const response = await fetch(origin, {
          method: 'HEAD',
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(providerTime)]),
        });
        return { origin, date: Date.parse(response.headers.get('date') ?? '') };
      } catch {
        return { origin, date: undefined };
      }
    }),
  );
  const unreached = answers.filter(({ date }) => date === undefined).map(({ origin }) => origin);
  const skews = answers.flatMap(({ date }) => (date === undefined || Number.isNaN(date) ? [] : [Math.abs(date / 1000 - now())]));
  return [
    ...when(unreached.length > 0, 'outgoingBlocked', unreached.join(', ')),
    // One provider's clock may be wrong, too.
    ...when(skews.length > 0 && skews.every((skew) => skew > clockDiffers), 'clockWrong'),
  ];
}

/** Awaits the promise; rejects after so many milliseconds. */
async function within<T>(awaited: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    clearTimeout(timer);
  }
}
