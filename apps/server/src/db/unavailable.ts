import { type AppError, appError } from '@sheaf/contract';

/**
 * The database could not answer: it is restarting, unreachable, or closed the connection. A write that fails like this may or may not have
 * happened. Deliberately no AppError: code that reads an AppError as "no such row" must not take an outage for one.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database is not available (${reasonOf(cause)})`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** Node's error for several addresses that all refuse has a code and no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}

/** The row of the error table for a failure of the database; undefined for every other error. */
export const databaseRow = (error: unknown): AppError | undefined =>
  error instanceof DatabaseUnavailable ? appError('DATABASE_UNAVAILABLE', {}, error) : undefined;
