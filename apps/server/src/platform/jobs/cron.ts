/**
 * Times at which a schedule runs. Five fields (minute, hour, day of month, month, day of week) or six with seconds first, in UTC, each `*`, a number,
 * a range `a-b`, a step (`*` + `/n`, `a-b/n`) or a list of these; 0 and 7 are Sunday. Where both days are restricted, either matches, as in crontab(5).
 */
export interface Cron {
  /** The first time after `after`, both in epoch milliseconds. */
  next(after: number): number;
}

const bounds = [
  [0, 59],
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
/** 29 February comes at least once in eight years. */
const horizon = 8 * 366 * 86_400_000;

/** Throws RangeError for text that is not a schedule, or one that never occurs. */
export function parseCron(text: string): Cron {
  const given = text.trim().split(/\s+/);
  const fields = given.length === 5 ? ['0', ...given] : given;
  if (fields.length !== bounds.length) throw new RangeError(`a schedule has five or six fields: ${text}`);
  const [seconds, minutes, hours, days, months, weekdays] = fields.map((field, index) => parseField(field, bounds[index] ?? [0, 0])) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.has(7)) weekdays.add(0);
  const isFree = (index: number): boolean => (fields[index] ?? '').startsWith('*');
  const [anyDay, anyWeekday] = [isFree(3), isFree(5)];

  function hasDay(time: Date): boolean {
    const day = days.has(time.getUTCDate());
    const weekday = weekdays.has(time.getUTCDay());
    return anyDay || anyWeekday ? day && weekday : day || weekday;
  }

  function next(after: number): number {
    const time = new Date(Math.floor(after / 1000) * 1000 + 1000);
    const end = after + horizon;
    while (time.getTime() <= end) {
      if (!months.has(time.getUTCMonth() + 1)) time.setTime(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1));
      else if (!hasDay(time)) time.setUTCHours(24, 0, 0, 0);
      else if (!hours.has(time.getUTCHours())) time.setUTCHours(time.getUTCHours() + 1, 0, 0, 0);
      else if (!minutes.has(time.getUTCMinutes())) time.setUTCMinutes(time.getUTCMinutes() + 1, 0, 0);
      else if (!seconds.has(time.getUTCSeconds())) time.setUTCSeconds(time.getUTCSeconds() + 1, 0);
      else return time.getTime();
    }
    throw new RangeError(`this schedule never comes: ${text}`);
  }
  next(0);
  return { next };
}

function parseField(field: string, [least, most]: readonly [number, number]): Set<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, start, end, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
    const isAll = part.startsWith('*');
    if (!isAll && start === undefined) throw new RangeError(`not a field of a schedule: ${field}`);
    const from = isAll ? least : Number(start);
    const to = isAll ? most : end === undefined ? (step === undefined ? from : most) : Number(end);
    const by = Number(step ?? 1);
    if (from < least || to > most || from > to || by < 1) throw new RangeError(`out of range in a schedule: ${field}`);
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}
