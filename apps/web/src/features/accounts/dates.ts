/** Formats a day for reading. */
export const dateOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'long' });

/** Formats a date with time for reading. */
export const momentOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
