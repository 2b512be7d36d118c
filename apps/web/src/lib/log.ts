/** Logs an error to the console that the user is not bothered with. */
export function logError(what: string, error?: unknown): void {
  // oxlint-disable-next-line no-console -- the one place that writes to the log
  console.error(what, ...(error === undefined ? [] : [error]));
}
