/** A day as people write it. */
export const dateOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'long' });

/** A moment as people write it. */
export const momentOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
