import { type BandwidthRule, formatDays, formatTimetable, parseTimetable } from '@sheaf/contract';

/** A timetable as the dialog has it. */
export interface Timetable {
  readonly rules: readonly BandwidthRule[];
  /** Bytes a second at all other times; null for no limit. */
  readonly otherwise: number | null;
}

const everyDay: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 6]);
const isRest = ({ days, from, to }: BandwidthRule): boolean => days.size === everyDay.size && from === to;

/** The rules of that text; a last one for every hour is what holds at other times. */
export function timetableOf(text: string): Timetable {
  const rules = parseTimetable(text) ?? [];
  const last = rules.at(-1);
  return last && isRest(last) ? { rules: rules.slice(0, -1), otherwise: last.limit } : { rules, otherwise: null };
}

/** The text of a timetable. */
export const textOf = ({ rules, otherwise }: Timetable): string =>
  formatTimetable(otherwise === null ? rules : [...rules, { days: everyDay, from: 0, to: 0, limit: otherwise }]);

/** A rule that is added: working hours. */
export const newRule: BandwidthRule = { days: new Set([1, 2, 3, 4, 5]), from: 8 * 60, to: 18 * 60, limit: 2 * 1024 ** 2 };

/** Days that can be chosen, by their text in the timetable. */
const dayWords: Readonly<Record<string, string>> = {
  '': 'Every day',
  'Mon-Fri': 'Weekdays',
  'Sat-Sun': 'Weekends',
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};

/** The choices of days for a rule, with those that it has. */
export function daysOffered({ days }: BandwidthRule): readonly { readonly value: string; readonly label: string }[] {
  const own = formatDays(days);
  const offered = Object.entries(dayWords).map(([value, label]) => ({ value, label }));
  return own in dayWords ? offered : [...offered, { value: own, label: own }];
}

/** The days of such a choice. */
export const daysOf = (choice: string): ReadonlySet<number> => parseTimetable(`${choice} off`)?.[0]?.days ?? everyDay;

/** `08:00` of minutes of the day. */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Minutes of the day of `08:00`; undefined for an unfinished time. */
export function minutesOf(time: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}
