/** Formats a day (epoch seconds) in the browser's language and time zone. */
export const formatDay = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'long' });
