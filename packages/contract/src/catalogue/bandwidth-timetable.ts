/** A limit for some hours of the week. */
export interface BandwidthRule {
  /** Days on which its hours begin, 0 for Sunday. */
  readonly days: ReadonlySet<number>;
  /** Minutes of the day. If `to` is before `from`, it is on the next day; if they are equal, they mean the whole day. */
  readonly from: number;
  readonly to: number;
  /** Bytes per second; null for no limit. */
  readonly limit: number | null;
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const everyDay: ReadonlySet<number> = new Set(dayNames.keys());
const units: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
/** Minimum limit: with less, connections would time out. */
const least = 1024;
const dayMinutes = 1440;

/**
 * Parses a timetable such as `Mon-Fri 08:00-18:00 512k, 10M`: rules separated by commas, of which the first that matches a time applies. A rule is days
 * (optional), hours (optional) and a limit: bytes per second with `k`, `M` or `G` (KiB, MiB, GiB as in rclone), or `off` for none. Hours without a rule
 * have no limit. Undefined for invalid text; empty text has no rules.
 */
export function parseTimetable(text: string): readonly BandwidthRule[] | undefined {
  if (text.trim() === '') return [];
  const rules = text.split(',').map(parseRule);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

function parseRule(text: string): BandwidthRule | undefined {
  const [, dayText, hours, limitText = ''] =
    /^\s*(?:([a-z]{3}(?:-[a-z]{3})?)\s+)?(?:(\d\d?:\d\d-\d\d?:\d\d)\s+)?(off|\d+(?:\.\d+)?[kmg]?)\s*$/i.exec(text) ?? [];
  const limit = parseLimit(limitText.toLowerCase());
  const days = dayText === undefined ? everyDay : parseDays(dayText.toLowerCase());
  const [from, to] = hours === undefined ? [0, 0] : hours.split('-').map(parseTime);
  if (limit === undefined || !days || from === undefined || to === undefined) return undefined;
  return { days, from: from % dayMinutes, to: to % dayMinutes, limit };
}

function parseLimit(text: string): number | null | undefined {
  if (text === 'off') return null;
  const unit = units[text.at(-1) ?? ''];
  const limit = Math.round(Number(unit === undefined ? text : text.slice(0, -1)) * (unit ?? 1));
  return text !== '' && limit >= least && Number.isSafeInteger(limit) ? limit : undefined;
}

function parseDays(text: string): ReadonlySet<number> | undefined {
  const [first = -1, last = first] = text.split('-').map((name) => dayNames.indexOf(name));
  if (first < 0 || last < 0) return undefined;
  const days = new Set([first]);
  for (let day = first; day !== last; days.add(day)) day = (day + 1) % 7;
  return days;
}

function parseTime(text: string): number | undefined {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  const minutes = hour * 60 + minute;
  return minute < 60 && minutes <= dayMinutes ? minutes : undefined;
}

/** Returns the limit at a day of the week and minute of the day, in bytes per second; null for none. */
export function limitAt(rules: readonly BandwidthRule[], day: number, minute: number): number | null {
  const before = (day + 6) % 7;
  const rule = rules.find(({ days, from, to }) =>
    from < to ? days.has(day) && minute >= from && minute < to : (days.has(day) && minute >= from) || (days.has(before) && minute < to),
  );
  return rule?.limit ?? null;
}

/** Returns the limit at a time in epoch milliseconds, by the clocks of the zone. */
export function limitNow(rules: readonly BandwidthRule[], timeZone: string, time: number): number | null {
  if (rules.length === 0) return null;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', weekday: 'short', hour: 'numeric', minute: 'numeric' });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const day = dayNames.indexOf((parts.get('weekday') ?? '').toLowerCase());
  return limitAt(rules, day, Number(parts.get('hour')) * 60 + Number(parts.get('minute')));
}

/** Writes rules as text that `parseTimetable` parses. */
export const formatTimetable = (rules: readonly BandwidthRule[]): string => rules.map(formatRule).join(', ');

function formatRule({ days, from, to, limit }: BandwidthRule): string {
  const hours = from === to ? '' : `${formatTime(from)}-${formatTime(to)}`;
  return [formatDays(days), hours, formatLimit(limit)].filter((part) => part !== '').join(' ');
}

/** `Mon-Fri`, `Sat`, or nothing for every day. */
export function formatDays(days: ReadonlySet<number>): string {
  const first = [...days].find((day) => !days.has((day + 6) % 7));
  if (first === undefined) return '';
  const last = (first + days.size - 1) % 7;
  const [one = '', other = ''] = [first, last].map((day) => dayNames[day]?.replace(/^./, (letter) => letter.toUpperCase()));
  return one === other ? one : `${one}-${other}`;
}

const formatTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

function formatLimit(limit: number | null): string {
  if (limit === null) return 'off';
  return limit % 1024 === 0 ? `${limit / 1024}k` : String(limit);
}
