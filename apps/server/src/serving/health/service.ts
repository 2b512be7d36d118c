import { statfs } from 'node:fs/promises';
import { type Health, type HealthFinding, appError } from '@sheaf/contract';
import type { Accounts } from '#/identity/account/service.ts';
import type { Operators } from '#/identity/admission/operators.ts';
import type { OperatorEvent } from '#/platform/db/operator-events.ts';
import type { Mail } from '#/platform/mail/mailer.ts';
import { version } from '#/platform/version.ts';
import { type Examined, checks, runChecks } from './checks.ts';
import { testMail } from './mails.ts';

interface Deps extends Omit<Examined, 'startedAt'> {
  readonly operators: Pick<Operators, 'require'>;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly database: { readonly kind: Health['database']['kind']; bytes(): Promise<number> };
  /** Sends a mail at once; rejects with what the mail server said. */
  readonly deliver: (mail: Mail) => Promise<void>;
  readonly record: (event: OperatorEvent) => Promise<void>;
  /** Calls to each kind of storage in the last hour. */
  readonly providerLoad: () => Health['providers'];
  readonly onTrouble: (error: unknown) => void;
}

/** Seconds for which the answers of other machines are shown again: a page that is reloaded must not write to the mail server each time. */
const freshFor = 30;

export type HealthService = ReturnType<typeof createHealthService>;

/** The health of the installation, for operators. Rejects with NOT_OPERATOR for everybody else. */
export function createHealthService(deps: Deps) {
  const { operators, accounts, database, deliver, record, onTrouble, config, now, ping, countFailingJobs, lastBackupAt } = deps;
  const startedAt = now();
  let examined: { readonly at: number; readonly findings: Promise<HealthFinding[]> } | undefined;

  async function findingsOf(isSlow: boolean): Promise<HealthFinding[]> {
    const some = checks.filter((check) => check.isSlow === isSlow);
    return (await runChecks(some, { ...deps, startedAt }, onTrouble)).flatMap(({ findings }) => findings);
  }

  async function answerTime(): Promise<number> {
    const before = performance.now();
    await ping();
    return Math.round((performance.now() - before) * 10) / 10;
  }

  return {
    async show(userId: string): Promise<Health> {
      await operators.require(userId);
      const [answer, bytes, disk, failingJobs, backupAt, problems] = await Promise.all([
        answerTime(),
        database.bytes(),
        statfs(config.dataDir),
        countFailingJobs(),
        lastBackupAt(),
        findingsOf(false),
      ]);
      return {
        version,
        nodeVersion: process.version,
        startedAt,
        now: now(),
        publicUrl: config.publicUrl,
        database: { kind: database.kind, answer, bytes },
        disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
        ...(config.smtpUrl !== '' && { mailServer: new URL(config.smtpUrl).host }),
        memory: process.memoryUsage.rss(),
        failingJobs,
        ...(backupAt !== undefined && { backupAt }),
        providers: deps.providerLoad(),
        problems,
      };
    },

    /** Runs the checks that ask other machines: the public address, the mail server, providers. */
    async examine(userId: string): Promise<HealthFinding[]> {
      await operators.require(userId);
      if (!examined || now() - examined.at > freshFor) examined = { at: now(), findings: findingsOf(true) };
      return examined.findings;
    },

    /** Sends a test mail to the operator. Rejects with MAIL_FAILED. */
    async sendTestMail(userId: string): Promise<{ to: string }> {
      await operators.require(userId);
      const { name, email } = await accounts.get(userId);
      await record({ actorId: userId, action: 'mail.test', subject: email, at: now() });
      try {
        await deliver({ to: email, ...testMail(name, `${config.publicUrl}/operator/health`) });
      } catch (error) {
        throw appError('MAIL_FAILED', { answer: error instanceof Error ? error.message.replace(/\.$/, '') : 'no reason was given' }, error);
      }
      return { to: email };
    },
  };
}
