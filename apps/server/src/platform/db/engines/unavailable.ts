import { type AppError, appError } from '@sheaf/contract';

/**
 * The database could not answer: it restarts, is unreachable or locked by another program, or closed the connection. A failed write may or may not
 * have happened. Not an AppError on purpose: code that reads an AppError as "no such row" must not take an outage for one.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database is not available (${reasonOf(cause)})`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The database has no room; nothing was written. */
export class DatabaseFull extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = 'DatabaseFull';
  }
}

/** Node's error for several addresses that all refuse has a code but no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}

/** The AppError for a failure of the database; undefined for every other error. */
export function databaseRow(error: unknown): AppError | undefined {
  if (error instanceof DatabaseFull) return appError('DATABASE_FULL', {}, error);
  return error instanceof DatabaseUnavailable ? appError('DATABASE_UNAVAILABLE', {}, error) : undefined;
}
