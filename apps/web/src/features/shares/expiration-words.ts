/** Formats date and time (epoch seconds) in the browser's language and time zone. */
export const formatMoment = (seconds: number, locale?: string): string =>
  new Date(seconds * 1000).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** When a share created at `now` (epoch ms) expires. */
export const expirationWords = (expirationSeconds: number, now: number, locale?: string): string =>
  expirationSeconds === 0 ? 'Never expires' : `Expires ${formatMoment(now / 1000 + expirationSeconds, locale)}`;
