import { statfs } from 'node:fs/promises';
import { type Health, type HealthProblem, appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { Operators } from '#/identity/admission/operators.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Config } from '#/platform/config/config.ts';
import type { Jobs } from '#/platform/jobs/jobs.ts';
import type { Mail } from '#/platform/mail/mailer.ts';
import { version } from '#/platform/version.ts';
import { testMail } from './mails.ts';

interface Deps {
  readonly operators: Pick<Operators, 'require'>;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly jobs: Pick<Jobs, 'failing'>;
  /** When the newest backup was made, in epoch seconds; undefined without one. */
  readonly lastBackupAt: () => Promise<number | undefined>;
  readonly database: { readonly kind: Health['database']['kind']; bytes(): Promise<number> };
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
  /** Sends a mail at once; rejects with what the mail server said. */
  readonly deliver: (mail: Mail) => Promise<void>;
  readonly config: Pick<Config, 'dataDir' | 'smtpUrl' | 'publicUrl' | 'isPrivate' | 'backup'>;
  readonly now: Clock;
}

/** Bytes and share of the disk below which it counts as low. */
const [lowBytes, lowShare] = [1 << 30, 0.05];
/** Milliseconds from which the database's answer counts as slow. */
const slow = 250;
/** Seconds after which a nightly backup counts as old. */
const old = 2 * 86_400;
/** Most failing jobs that are counted. */
const mostJobs = 1000;

export type HealthService = ReturnType<typeof createHealthService>;

/** How the installation is. Rejects with NOT_OPERATOR for everybody else. */
export function createHealthService({ operators, accounts, jobs, lastBackupAt, database, ping, deliver, config, now }: Deps) {
  const startedAt = now();

  async function answerTime(): Promise<number> {
    const before = performance.now();
    await ping();
    return Math.round((performance.now() - before) * 10) / 10;
  }

  return {
    async show(userId: string): Promise<Health> {
      await operators.require(userId);
      const [answer, bytes, disk, failing, backupAt] = await Promise.all([
        answerTime(),
        database.bytes(),
        statfs(config.dataDir),
        jobs.failing(mostJobs),
        lastBackupAt(),
      ]);
      const [free, total] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
      const isDaily = config.backup === 'daily';
      const found: Readonly<Record<HealthProblem, boolean>> = {
        diskLow: free < lowBytes || free < total * lowShare,
        databaseSlow: answer > slow,
        mailOnDisk: config.smtpUrl === '' && !config.isPrivate,
        plainHttp: config.publicUrl.startsWith('http:') && !config.isPrivate,
        jobsFail: failing.length > 0,
        noBackup: backupAt === undefined && isDaily && now() - startedAt > old,
        backupOld: backupAt !== undefined && isDaily && now() - backupAt > old,
      };
      return {
        version,
        nodeVersion: process.version,
        startedAt,
        now: now(),
        publicUrl: config.publicUrl,
        database: { kind: database.kind, answer, bytes },
        disk: { free, total },
        ...(config.smtpUrl !== '' && { mailServer: new URL(config.smtpUrl).host }),
        memory: process.memoryUsage.rss(),
        failingJobs: failing.length,
        ...(backupAt !== undefined && { backupAt }),
        problems: (Object.keys(found) as HealthProblem[]).filter((problem) => found[problem]),
      };
    },

    /** Sends a letter to the operator. Rejects with MAIL_FAILED. */
    async sendTestMail(userId: string): Promise<{ to: string }> {
      await operators.require(userId);
      const { name, email } = await accounts.get(userId);
      try {
        await deliver({ to: email, ...testMail(name, `${config.publicUrl}/operator/health`) });
      } catch (error) {
        throw appError('MAIL_FAILED', { answer: error instanceof Error ? error.message.replace(/\.$/, '') : 'no reason was given' }, error);
      }
      return { to: email };
    },
  };
}
