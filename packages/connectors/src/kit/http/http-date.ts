import { numberIn } from '../names/digits.ts';

const months = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, month) => [name, month] as const),
);
/** Preferred format: RFC 9110, section 5.6.7. */
const usual = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Epoch seconds of an HTTP date; undefined when invalid. Also accepts whatever `Date.parse` does, because servers are not strict. */
export function httpDate(date: string): number | undefined {
  if (usual.test(date)) {
    const month = months.get(date.slice(8, 11)) ?? -1;
    const [year, day] = [numberIn(date, 12, 16), numberIn(date, 5, 7)];
    const [hour, minute, second] = [numberIn(date, 17, 19), numberIn(date, 20, 22), numberIn(date, 23, 25)];
    // Date.parse rejects impossible days, and Date.UTC misreads years before 100.
    if (month >= 0 && year >= 100 && day >= 1 && day <= 28 && hour < 24 && minute < 60 && second < 60)
      return Date.UTC(year, month, day, hour, minute, second) / 1000;
  }
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/** {@link httpDate} for many dates, as in a listing: most have the same day as the previous one, so that only their time is parsed. */
export function createHttpDates(): (date: string) => number | undefined {
  let day: string | undefined;
  let midnight = 0;
  return (date) => {
    if (day !== undefined && date.length === 29 && date.startsWith(day) && date.endsWith(' GMT')) {
      const seconds = clock(date);
      if (seconds !== undefined) return midnight + seconds;
    }
    const time = httpDate(date);
    const seconds = time !== undefined && usual.test(date) ? clock(date) : undefined;
    if (time !== undefined && seconds !== undefined) {
      day = date.slice(0, 17);
      midnight = time - seconds;
    }
    return time;
  };
}

const colon = 0x3a;

/** Seconds since midnight of a date in the preferred format. */
function clock(date: string): number | undefined {
  const [hour, minute, second] = [numberIn(date, 17, 19), numberIn(date, 20, 22), numberIn(date, 23, 25)];
  const isTime = hour < 24 && minute < 60 && second < 60 && date.charCodeAt(19) === colon && date.charCodeAt(22) === colon;
  return isTime ? hour * 3600 + minute * 60 + second : undefined;
}
