import { AppError, type ErrorAnswer, appError } from '@sheaf/contract';
import { type JobHandler, Nothing, defineJob } from '#/platform/jobs/job.ts';
import { zonedCron } from '#/platform/jobs/zoned-cron.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { sourcesOf, targetOf } from '../rows/ends.ts';
import type { TransferRow, TransferStore } from '../rows/store.ts';
import type { TransferService } from '../service.ts';
import { scheduleFailedMail, scheduleMissedMail } from './mails.ts';
import type { ScheduleRow, ScheduleStore } from './store.ts';

interface Deps {
  readonly store: ScheduleStore;
  readonly transfers: TransferStore;
  readonly service: Pick<TransferService, 'scheduled' | 'cancel' | 'newId'>;
  readonly accounts: { get(id: string): Promise<{ readonly name: string; readonly email: string }> };
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly removeVersions: (accountId: string, transferId: string) => Promise<void>;
  readonly publicUrl: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The job that looks which schedules are due, and how their runs ended. */
export const schedulesKind = 'schedules.run';
/** Milliseconds after which a run that has not begun counts as missed. */
const grace = 600_000;
const day = 86_400_000;
/** Milliseconds between two mails about a schedule that keeps failing. */
const mailEvery = day;

const active: readonly TransferRow['state'][] = ['planning', 'running', 'paused', 'waiting'];

export type ScheduleRuns = ReturnType<typeof createScheduleRuns>;

/** Starts the runs of schedules, never two of one schedule at once, and tells of those that failed or did not happen. */
export function createScheduleRuns({ store, transfers, service, accounts, hasPremium, mailer, removeVersions, publicUrl, now }: Deps) {
  const lastOf = async ({ accountId, lastTransferId }: ScheduleRow): Promise<TransferRow | undefined> =>
    lastTransferId === null ? undefined : transfers.find(accountId, lastTransferId);

  /** Creates the claimed run. A process that ended in the middle is followed by another one, which creates the same transfer. */
  async function createClaimed(row: ScheduleRow, transferId: string, change: Partial<ScheduleRow>): Promise<ErrorAnswer | undefined> {
    const { kind, conflict, verify, bytesPerSecond, keepVersions } = row;
    const wish = {
      linkUri: sourcesOf(row).map(({ linkUri }) => linkUri),
      parentLinkUri: targetOf(row).linkUri,
      conflict,
      verify,
      ...(bytesPerSecond !== null && { bytesPerSecond: Number(bytesPerSecond) }),
      ...(keepVersions !== null && { keepVersions }),
    };
    try {
      // A subscription may have ended since the schedule was made.
      if (kind === 'mirror' && !(await hasPremium(row.accountId))) throw appError('NO_BACKUP_SUBSCRIPTION', {});
      await service.scheduled(row.accountId, kind, wish, { id: transferId, scheduleId: row.id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const answer = error.toAnswer();
      await store.settle(row.id, transferId, { ...change, lastRunAt: now(), error: JSON.stringify(answer) });
      return answer;
    }
    await store.settle(row.id, transferId, { ...change, lastRunAt: now(), lastTransferId: transferId, error: null });
    return undefined;
  }

  /** Starts a run; rejects with SCHEDULE_RUNNING while the last one has not ended. A plan that still asks is given up for a new one. */
  async function start(row: ScheduleRow, change: Partial<ScheduleRow>): Promise<ErrorAnswer | undefined> {
    const last = await lastOf(row);
    if (last && active.includes(last.state)) throw appError('SCHEDULE_RUNNING', {});
    const transferId = service.newId();
    if (!(await store.claim(row, transferId))) throw appError('SCHEDULE_RUNNING', {});
    if (last?.state === 'planned') await service.cancel(row.accountId, last.id);
    return createClaimed(row, transferId, change);
  }

  const pageOf = ({ lastTransferId }: Pick<ScheduleRow, 'lastTransferId'>): string =>
    lastTransferId === null ? `${publicUrl}/transfers` : `${publicUrl}/transfers/${lastTransferId}`;

  async function mailFailure(row: ScheduleRow, why: string, asks: boolean, key: string): Promise<void> {
    if (row.mailedAt !== null && now() - Number(row.mailedAt) < mailEvery) return;
    const { name, email } = await accounts.get(row.accountId);
    await mailer.send({ to: email, ...scheduleFailedMail({ name, schedule: row.name, page: pageOf(row), why, asks }) }, key);
    await store.change(row.id, { mailedAt: now() });
  }

  async function mailMissed(row: ScheduleRow, isRunning: boolean): Promise<void> {
    const due = Number(row.nextRunAt);
    if (row.missedAt !== null && due - Number(row.missedAt) < mailEvery) return;
    const { name, email } = await accounts.get(row.accountId);
    const at = new Date(due).toLocaleString('en-GB', { timeZone: row.timezone, dateStyle: 'long', timeStyle: 'short' });
    const about = { name, schedule: row.name, page: pageOf(row), at: `${at} (${row.timezone})`, isRunning };
    await mailer.send({ to: email, ...scheduleMissedMail(about) }, `schedule missed ${row.id} ${due}`);
  }

  async function runDue(row: ScheduleRow): Promise<void> {
    const due = Number(row.nextRunAt);
    const nextRunAt = zonedCron(row.cron, row.timezone).next(now());
    const isDue = due <= now();
    const isLate = isDue && now() - due > grace;
    const change = isDue ? { nextRunAt, ...(isLate && { missedAt: due }) } : {};
    if (isLate) await mailMissed(row, false);
    try {
      const failure = row.pendingTransferId === null ? await start(row, change) : await createClaimed(row, row.pendingTransferId, change);
      if (failure) await mailFailure(row, failure.message, false, `schedule failed ${row.id} ${due}`);
    } catch (error) {
      if (!(error instanceof AppError) || error.messageCode !== 'SCHEDULE_RUNNING') throw error;
      // The last run goes on; this one does not happen.
      if (!isLate) await mailMissed(row, true);
      await store.change(row.id, { nextRunAt, missedAt: due });
    }
  }

  /** Has the files removed that earlier runs have kept for longer than the schedule says. */
  async function expire({ id, versionDays, versionRuns }: ScheduleRow): Promise<void> {
    if (versionDays === null && versionRuns === null) return;
    const [mostRuns, mostAge] = [versionRuns ?? Infinity, (versionDays ?? Infinity) * day];
    for (const [index, run] of (await store.keepingRuns(id)).entries())
      if (index >= mostRuns || now() - Number(run.endedAt) >= mostAge) await removeVersions(run.accountId, run.id);
  }

  async function tellEnd(row: ScheduleRow): Promise<void> {
    const last = await lastOf(row);
    if (!last) return;
    if (last.state === 'done') {
      await store.prune(row);
      await expire(row);
    }
    if (last.state === 'failed' || last.state === 'planned')
      await mailFailure(row, whyOf(last), last.state === 'planned', `schedule ended ${last.id}`);
    await store.change(row.id, { seenTransferId: last.id, ...(last.state === 'done' && { mailedAt: null }) });
  }

  const job: JobHandler = defineJob({
    kind: schedulesKind,
    payload: Nothing,
    schedule: '* * * * *',
    atStart: true,
    async run({ signal }) {
      const errors: unknown[] = [];
      const each = async (rows: readonly ScheduleRow[], work: (row: ScheduleRow) => Promise<void>): Promise<void> => {
        for (const row of rows) {
          signal.throwIfAborted();
          await work(row).catch((error: unknown) => errors.push(error));
        }
      };
      await each(await store.due(now()), runDue);
      await each(await store.ended(), tellEnd);
      // One schedule that cannot be run stops no other; the job shows why.
      if (errors.length > 0) throw errors[0];
    },
  });

  return {
    job,
    lastOf,
    /** Has the files removed that the runs of all schedules have kept for longer than these say. */
    async sweep(): Promise<void> {
      for (const row of await store.expiring()) await expire(row);
    },
    /** Runs a schedule now, beside its times. */
    async runNow(row: ScheduleRow): Promise<void> {
      await start(row, {});
    },
  };
}

/** Why a transfer failed or asks, as a sentence. */
function whyOf({ error, itemsFailed, problems }: TransferRow): string {
  if (error !== null) return (JSON.parse(error) as ErrorAnswer).message;
  const count = itemsFailed > 0 ? itemsFailed : problems;
  const items = count === 1 ? '1 item' : `${count} items`;
  return itemsFailed > 0 ? `${items} could not be transferred.` : `${items} cannot be transferred as planned.`;
}
