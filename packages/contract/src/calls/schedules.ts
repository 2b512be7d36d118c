import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../catalogue/limits.ts';
import { ErrorAnswer } from '../error-answer.ts';
import { keepVersionsRules, transferConflictRules, transferKinds, verifyRules } from './transfer-words.ts';
import { TransferPlace, oneOf, transferOptions, transferRoute } from './transfers.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Outcome of a schedule's last run. `asks`: the user must review its plan before anything happens. */
export const scheduleResults = ['running', 'done', 'failed', 'asks', 'canceled'] as const;
export type ScheduleResult = (typeof scheduleResults)[number];

/** A transfer that runs on a schedule. */
export const Schedule = Type.Object({
  scheduleId: text,
  name: text,
  kind: oneOf(transferKinds),
  from: Type.Array(TransferPlace),
  to: TransferPlace,
  conflict: oneOf(transferConflictRules),
  verify: oneOf(verifyRules),
  bytesPerSecond: optional(Type.Integer()),
  keepVersions: optional(oneOf(keepVersionsRules)),
  /** Days after which kept files are removed; absent: never. */
  versionDays: optional(Type.Integer()),
  /** Number of runs whose kept files stay; absent: all. */
  versionRuns: optional(Type.Integer()),
  /** Whether automatic runs are suspended. */
  isPaused: Type.Boolean(),
  /** Minute, hour, day of month, month, day of week, as in crontab(5). */
  cron: text,
  /** IANA name of their time zone. */
  timezone: text,
  /** Epoch milliseconds. */
  nextRun: Type.Integer(),
  lastRun: optional(Type.Integer()),
  lastTransferId: optional(text),
  lastResult: optional(oneOf(scheduleResults)),
  /** Why the last run failed or asks. */
  error: optional(ErrorAnswer),
  /** When a run was missed, for example because the server was down. */
  missedRun: optional(Type.Integer()),
});
export type Schedule = Static<typeof Schedule>;

/** When: crontab(5) and a time zone, as in {@link Schedule}. */
const times = { cron: Type.String({ maxLength: 200 }), timezone: Type.String({ maxLength: 100 }) };
const fields = {
  kind: oneOf(transferKinds),
  ...transferRoute,
  ...transferOptions,
  name: Type.String({ minLength: 1, maxLength: limits.nameLength.max }),
  ...times,
  /** Only for mirrors that keep files in dated folders. The folder of a run is removed when it exceeds either limit. */
  versionDays: optional(Type.Integer({ minimum: 1, maximum: limits.versionDays })),
  versionRuns: optional(Type.Integer({ minimum: 1, maximum: limits.versionRuns })),
  rTag,
};
const ScheduleRef = { scheduleId: text, rTag };

export const createSchedule = call({
  method: 'POST',
  path: '/rest/schedules/create',
  input: Type.Object(fields),
  reply: Schedule,
  summary: 'Starts a transfer at certain times from now on; as a mirror it is a backup.',
});
export const updateSchedule = call({
  method: 'POST',
  path: '/rest/schedules/update',
  input: Type.Object({ ...ScheduleRef, ...fields }),
  reply: Schedule,
  summary: 'Replaces what a schedule does, and when.',
});
export const deleteSchedule = call({
  method: 'POST',
  path: '/rest/schedules/delete',
  input: Type.Object(ScheduleRef),
  reply: Type.Object({}),
  summary: 'Deletes a schedule; its transfers and their files stay.',
});
export const runSchedule = call({
  method: 'POST',
  path: '/rest/schedules/run_now',
  input: Type.Object(ScheduleRef),
  reply: Schedule,
  summary: 'Runs a schedule now, unless it is running.',
});
export const listSchedules = call({
  method: 'GET',
  path: '/rest/schedules',
  input: Type.Object({}),
  reply: Type.Object({ schedules: Type.Array(Schedule) }),
  summary: 'The schedules of the account, by name.',
});
export const pauseSchedule = call({
  method: 'POST',
  path: '/rest/schedules/pause',
  input: Type.Object({ ...ScheduleRef, isPaused: Type.Boolean() }),
  reply: Schedule,
  summary: 'Pauses a schedule, or lets it go on with its next time; a run that has begun goes on.',
});
export const scheduleTimes = call({
  method: 'GET',
  path: '/rest/schedules/times',
  input: Type.Object(times),
  reply: Type.Object({
    /** Epoch milliseconds. */
    times: Type.Array(Type.Integer()),
  }),
  summary: 'The next five times of a schedule that is still to be created or changed.',
});
