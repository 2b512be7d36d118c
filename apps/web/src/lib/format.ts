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

/** Formats a modification time (epoch seconds): today's time, "Yesterday" and the time, or the date; in the browser's language and time zone. */
export function formatModified(seconds: number, now = new Date(), locale?: string): string {
  const date = new Date(seconds * 1000);
  const time = date.toLocaleTimeString(locale, { timeStyle: 'short' });
  const today = startOfDay(now);
  const day = startOfDay(date);
  if (day === today) return time;
  // The day before is 23 to 25 hours earlier when clocks change.
  if (day === startOfDay(new Date(today - 1))) return `Yesterday ${time}`;
  return date.toLocaleDateString(locale, { dateStyle: 'medium' });
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
