/** Exit codes, documented in docs/cli.md. */
export const exitCodes = {
  /** Something failed. */
  failed: 1,
  /** Invalid command line. */
  usage: 2,
  /** Not signed in, or the token was revoked. */
  signedOut: 3,
  /** Some files could not be copied; the rest was. */
  incomplete: 4,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** Why the program ends early; the message is for the user. */
export class Failure extends Error {
  readonly exit: keyof typeof exitCodes;

  constructor(message: string, exit: keyof typeof exitCodes = 'failed', cause?: unknown) {
    super(message, { cause });
    this.name = 'Failure';
    this.exit = exit;
  }
}

/** An error answer of the server: an error of its catalogue. */
export class Refusal extends Failure {
  readonly errorCode: number;
  readonly messageCode: string;
  /** HTTP status. */
  readonly status: number;

  constructor(message: string, { errorCode, messageCode, status }: { errorCode: number; messageCode: string; status: number }) {
    super(message, errorCode === 104 ? 'signedOut' : 'failed');
    this.name = 'Refusal';
    this.errorCode = errorCode;
    this.messageCode = messageCode;
    this.status = status;
  }
}

/** The server sent no complete answer; the request may be retried. */
export class ConnectionLost extends Failure {}

/** A local disk is full; other files would fail too. */
export class LocalDiskFull extends Failure {}

/** Maps a "disk full" error to a LocalDiskFull that names the file; returns other errors unchanged. */
export const asDiskFull = (error: unknown, file: string): unknown =>
  isSystemError(error, 'ENOSPC', 'EDQUOT')
    ? new LocalDiskFull(`There is no room left on this computer's disk for ${file}.`, 'failed', error)
    : error;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the error is one of the operating system, with one of these codes if given, such as ENOENT. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && (codes.length === 0 || codes.includes(error.code));
