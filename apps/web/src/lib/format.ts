const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats a number of bytes: at most three digits, steps of 1024. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 9.95 && unit > 1 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

interface ClockFormats {
  readonly time: Intl.DateTimeFormat;
  readonly date: Intl.DateTimeFormat;
  /** Minutes from UTC when they were made: a format keeps the time zone of that moment, and computers travel. */
  readonly offset: number;
}

/** By locale. Making a format takes hundreds of times as long as using it, and each row of a folder shows a time. */
const clockFormats = new Map<string | undefined, ClockFormats>();

function clockFormatsOf(locale: string | undefined): ClockFormats {
  const known = clockFormats.get(locale);
  const offset = new Date().getTimezoneOffset();
  if (known?.offset === offset) return known;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const made = { time, date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }), offset };
  clockFormats.set(locale, made);
  return made;
}

/** Formats a modification time (epoch seconds): today's time, "Yesterday" and the time, or the date; in the browser's language and time zone. */
export function formatModified(seconds: number, now = new Date(), locale?: string): string {
  const date = new Date(seconds * 1000);
  const formats = clockFormatsOf(locale);
  const today = startOfDay(now);
  const day = startOfDay(date);
  if (day === today) return formats.time.format(date);
  // The day before is 23 to 25 hours earlier when clocks change.
  if (day === startOfDay(new Date(today - 1))) return `Yesterday ${formats.time.format(date)}`;
  return formats.date.format(date);
}

/** Formats a duration in its largest fitting unit. */
export function formatDuration(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** Formats how long ago a moment (epoch ms) was. */
export function formatAgo(moment: number, now = Date.now()): string {
  const seconds = (now - moment) / 1000;
  return seconds < 45 ? 'just now' : `${formatDuration(seconds)} ago`;
}

/** "1 item", "3 items". */
export const itemCount = (count: number): string => (count === 1 ? '1 item' : `${count.toLocaleString()} items`);

/** "a day", "30 days". */
export const daysOf = (days: number): string => (days === 1 ? 'a day' : `${days} days`);
