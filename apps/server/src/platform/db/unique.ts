/**
 * Whether the error is a violated unique index: SQLITE_CONSTRAINT_UNIQUE (https://sqlite.org/rescode.html#constraint_unique), or unique_violation of
 * Postgres.
 */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && (('errcode' in error && error.errcode === 2067) || ('code' in error && error.code === '23505'));
