const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const codeOf = (first: number, second: number, third: number): number => (first << 16) | (second << 8) | third | 0x20_20_20;
const months = new Map(monthNames.map((name, month) => [codeOf(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)), month]));

/** Parses the three-letter month at `at`, from 0; undefined for anything else. */
export const monthAt = (bytes: Buffer, at: number): number | undefined =>
  months.get(codeOf(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0));

/** The modification time in a listing line; recent lines have the time of day instead of the year. */
export interface LineTime {
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly year: number | undefined;
}

/**
 * Converts a line's time to epoch seconds, assuming UTC. Without a year, picks the one that puts it at most a day after `now` (epoch ms).
 */
export function modifiedAt({ month, day, hour, minute, year }: LineTime, now: number): number {
  const ofDay = hour * 3600 + minute * 60;
  if (year !== undefined) return midnight(year, month, day) + ofDay;
  const thisYear = new Date(now).getUTCFullYear();
  const time = midnight(thisYear, month, day) + ofDay;
  return time > now / 1000 + 86_400 ? midnight(thisYear - 1, month, day) + ofDay : time;
}

/** Caches the last day, which consecutive lines often share. */
let last = { year: 0, month: 0, day: 0, seconds: Number.NaN };

function midnight(year: number, month: number, day: number): number {
  if (year !== last.year || month !== last.month || day !== last.day)
    last = { year, month, day, seconds: Date.UTC(year, month, day) / 1000 };
  return last.seconds;
}
