const months = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, month) => [name, month] as const),
);
/** The form that servers send: RFC 9110, section 5.6.7. */
const usual = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Epoch seconds of an HTTP date; undefined when it is none. Also takes what else `Date.parse` does, as servers are not strict. */
export function httpDate(date: string): number | undefined {
  const month = usual.test(date) ? months.get(date.slice(8, 11)) : undefined;
  const part = (from: number, to: number) => Number(date.slice(from, to));
  const year = part(12, 16);
  const day = part(5, 7);
  // Date.parse refuses days that no month has, and the years before 100 mean others to Date.UTC.
  if (month !== undefined && year >= 100 && day >= 1 && day <= 28 && part(17, 19) < 24 && part(20, 22) < 60 && part(23, 25) < 60)
    return Date.UTC(year, month, day, part(17, 19), part(20, 22), part(23, 25)) / 1000;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}
