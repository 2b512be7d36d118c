/** How often a schedule runs, as the dialog offers it; `custom` is any other cron text. */
export const rhythms = ['hourly', 'daily', 'weekly', 'monthly', 'custom'] as const;
export type Rhythm = (typeof rhythms)[number];

export const rhythmWords: Readonly<Record<Rhythm, string>> = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  custom: 'Cron text',
};

/** When a schedule runs, as the dialog's fields have it. */
export interface When {
  readonly rhythm: Rhythm;
  /** `02:30`; every hour uses the minute only. */
  readonly time: string;
  /** Of every week: 0 for Sunday. */
  readonly days: readonly number[];
  /** Of every month. */
  readonly monthDay: number;
  readonly cron: string;
}

const standard: When = { rhythm: 'daily', time: '02:30', days: [1], monthDay: 1, cron: '' };

/** Cron text of these fields; undefined while they are incomplete. */
export function cronOf({ rhythm, time, days, monthDay, cron }: When): string | undefined {
  if (rhythm === 'custom') return cron.trim() || undefined;
  if (!/^\d\d:\d\d$/.test(time)) return undefined;
  const [hour, minute] = time.split(':').map(Number);
  if (rhythm === 'hourly') return `${minute} * * * *`;
  if (rhythm === 'daily') return `${minute} ${hour} * * *`;
  if (rhythm === 'weekly') return days.length === 0 ? undefined : `${minute} ${hour} * * ${days.toSorted((a, b) => a - b).join(',')}`;
  return monthDay >= 1 && monthDay <= 31 ? `${minute} ${hour} ${monthDay} * *` : undefined;
}

/** The fields that show that cron text. */
export function whenOf(cron: string): When {
  const [minute = '', hour = '', monthDay = '', month, weekdays = ''] = cron.trim().split(/\s+/);
  const other: When = { ...standard, rhythm: 'custom', cron };
  if (!isNumber(minute) || month !== '*') return other;
  const isEveryDay = monthDay === '*' && weekdays === '*';
  if (hour === '*') return isEveryDay ? { ...standard, rhythm: 'hourly', time: `00:${minute.padStart(2, '0')}`, cron } : other;
  if (!isNumber(hour)) return other;
  const at = { ...standard, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, cron };
  if (isEveryDay) return at;
  if (monthDay === '*' && /^\d(,\d)*$/.test(weekdays))
    return { ...at, rhythm: 'weekly', days: [...new Set(weekdays.split(',').map((day) => Number(day) % 7))] };
  return weekdays === '*' && isNumber(monthDay) ? { ...at, rhythm: 'monthly', monthDay: Number(monthDay) } : other;
}

const isNumber = (field: string): boolean => /^\d\d?$/.test(field);

/** The time zone of this device. */
export const ownTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zones to choose from, with the one that is chosen. */
export const timezones = (chosen: string): readonly string[] =>
  [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])].toSorted();
