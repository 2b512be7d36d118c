import { type InputOf, type Schedule, appError, type createSchedule, foldName, isBlank } from '@sheaf/contract';
import { type Links, cannotChange, openItem } from '#/files/items/open-item.ts';
import { zonedCron } from '#/platform/jobs/zoned-cron.ts';
import { refuseToLose } from '../mirror/keeping.ts';
import { shownPath } from '../rows/ends.ts';
import { checkTimezone } from '../timezone.ts';
import type { ScheduleRuns } from './runs.ts';
import { scheduleOf } from './shown.ts';
import type { ScheduleRow, ScheduleStore } from './store.ts';

interface Deps {
  readonly links: Links;
  readonly store: ScheduleStore;
  readonly runs: ScheduleRuns;
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type Wish = Omit<InputOf<typeof createSchedule>, 'rTag'>;
type Times = Pick<Wish, 'cron' | 'timezone'>;
/** How many of the next times are shown while a schedule is edited. */
const shownTimes = 5;
/** Most schedules of an account: each minute all that are due are started one after the other. */
const mostPerAccount = 100;
/** Columns that the user decides. */
type Wanted = Omit<ScheduleRow, 'id' | 'accountId' | keyof typeof unrun>;

const unrun = {
  pausedAt: null,
  pendingTransferId: null,
  lastTransferId: null,
  lastRunAt: null,
  error: null,
  missedAt: null,
  seenTransferId: null,
  mailedAt: null,
} as const;

export type ScheduleService = ReturnType<typeof createScheduleService>;

/** Schedules of a user: transfers that start at certain times. */
export function createScheduleService({ links, store, runs, hasPremium, newId, now }: Deps) {
  async function own(userId: string, id: string): Promise<ScheduleRow> {
    const row = await store.find(userId, id);
    if (!row) throw appError('SCHEDULE_GONE', {});
    return row;
  }

  const shown = async (row: ScheduleRow): Promise<Schedule> => scheduleOf(row, await runs.lastOf(row));

  async function requirePremium(userId: string, kind: ScheduleRow['kind']): Promise<void> {
    if (kind === 'mirror' && !(await hasPremium(userId))) throw appError('NO_BACKUP_SUBSCRIPTION', {});
  }

  /** Rejects for a place that the user cannot use, for times that never come, and without a Backup subscription for a backup. */
  async function check(userId: string, wish: Wish): Promise<Wanted> {
    const { kind, linkUri: uris, parentLinkUri, conflict, verify = 'auto', bytesPerSecond = null, keepVersions = 'folder' } = wish;
    const name = wish.name.trim();
    if (isBlank(name)) throw appError('MISSING_PARAMETER', {});
    const { versionDays = null, versionRuns = null } = wish;
    const keepsFolders = kind === 'mirror' && keepVersions === 'folder';
    await requirePremium(userId, kind);
    const [nextRunAt = Infinity] = nextTimes(wish, now(), 1);
    const to = await openItem(links, userId, parentLinkUri);
    if (!to.connector.write) throw cannotChange(to);
    if (kind === 'mirror') refuseToLose(to, keepVersions);
    const sources = [];
    for (const linkUri of new Set(uris)) sources.push({ linkUri, path: shownPath(await openItem(links, userId, linkUri)), isFolder: true });
    return {
      name,
      nameKey: foldName(name),
      kind,
      sources: JSON.stringify(sources),
      target: JSON.stringify({ linkUri: parentLinkUri, path: shownPath(to), isFolder: true }),
      conflict,
      verify,
      bytesPerSecond,
      keepVersions: kind === 'mirror' ? keepVersions : null,
      versionDays: keepsFolders ? versionDays : null,
      versionRuns: keepsFolders ? versionRuns : null,
      cron: wish.cron.trim(),
      timezone: wish.timezone,
      nextRunAt,
    };
  }

  return {
    async create(userId: string, wish: Wish): Promise<Schedule> {
      const row: ScheduleRow = { id: newId(), accountId: userId, ...(await check(userId, wish)), ...unrun };
      const outcome = await store.insert(row, mostPerAccount);
      if (outcome === 'full') throw appError('TOO_MANY_SCHEDULES', { most: String(mostPerAccount) });
      if (outcome === 'taken') throw appError('DUPLICATE_BACKUP_NAME', { name: row.name });
      return shown(row);
    },

    async update(userId: string, id: string, wish: Wish): Promise<Schedule> {
      await own(userId, id);
      const wanted = await check(userId, wish);
      const namesake = await store.findByName(userId, wanted.nameKey);
      if (namesake && namesake.id !== id) throw appError('DUPLICATE_BACKUP_NAME', { name: wanted.name });
      await store.change(id, { ...wanted, error: null });
      return shown(await own(userId, id));
    },

    async remove(userId: string, id: string): Promise<Record<string, never>> {
      await own(userId, id);
      await store.remove(id);
      return {};
    },

    async runNow(userId: string, id: string): Promise<Schedule> {
      const row = await own(userId, id);
      await requirePremium(userId, row.kind);
      await runs.runNow(row);
      return shown(await own(userId, id));
    },

    async pause(userId: string, id: string, isPaused: boolean): Promise<Schedule> {
      const row = await own(userId, id);
      // Times that passed during the pause are not made up for.
      if (isPaused !== (row.pausedAt !== null))
        await store.change(
          id,
          isPaused ? { pausedAt: now() } : { pausedAt: null, nextRunAt: zonedCron(row.cron, row.timezone).next(now()) },
        );
      return shown(await own(userId, id));
    },

    times: (when: Times): { times: number[] } => ({ times: nextTimes(when, now(), shownTimes) }),

    async list(userId: string): Promise<{ schedules: Schedule[] }> {
      return { schedules: await Promise.all((await store.list(userId)).map(shown)) };
    },
  };
}

/** The next times of a schedule of five fields. */
function nextTimes({ cron, timezone }: Times, now: number, count: number): number[] {
  checkTimezone(timezone);
  if (cron.trim().split(/\s+/).length !== 5) throw appError('INVALID_PARAMETER', { field: 'cron' });
  try {
    const { next } = zonedCron(cron, timezone);
    const times: number[] = [];
    for (let at = now; times.length < count; times.push(at)) at = next(at);
    return times;
  } catch (error) {
    if (error instanceof RangeError) throw appError('INVALID_PARAMETER', { field: 'cron' });
    throw error;
  }
}
