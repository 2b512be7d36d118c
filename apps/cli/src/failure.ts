/** Exit codes of the program, as docs/cli.md tells them. */
export const exitCodes = {
  /** Something could not be done. */
  failed: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Nobody is signed in, or the token was revoked. */
  signedOut: 3,
  /** Some files could not be copied; the rest is done. */
  incomplete: 4,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** Why the program ends early; the message is for whoever started it. */
export class Failure extends Error {
  readonly exit: keyof typeof exitCodes;

  constructor(message: string, exit: keyof typeof exitCodes = 'failed', cause?: unknown) {
    super(message, { cause });
    this.name = 'Failure';
    this.exit = exit;
  }
}

/** An answer of the server that says no: a row of its error catalogue. */
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

/** Nothing, or nothing whole, came back from the server; worth another try. */
export class ConnectionLost extends Failure {}

/** A disk of this computer has no room; of no use to go on with other files. */
export class LocalDiskFull extends Failure {}

/** Says for which file there was no room, if that is what went wrong; otherwise gives the error itself. */
export const asDiskFull = (error: unknown, file: string): unknown =>
  isSystemError(error, 'ENOSPC', 'EDQUOT')
    ? new LocalDiskFull(`There is no room left on this computer's disk for ${file}.`, 'failed', error)
    : error;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the operating system refused, with one of these codes, such as ENOENT, if any are given. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && (codes.length === 0 || codes.includes(error.code));
