import { type DestinationStream, type Logger, pino } from 'pino';

/** Most bytes of lines that wait for room on the disk. */
const mostWaiting = 1 << 20;

/** Fields that may hold a secret, wherever an object that holds them is logged. */
const secretFields = [
  'password',
  'newPassword',
  'secret',
  'token',
  'rTag',
  'key',
  'passphrase',
  'authorization',
  'cookie',
  'connectionInfo',
  'clientSecret',
  'accessToken',
  'refreshToken',
  'serviceAccountKey',
  'applicationKey',
  'handoffToken',
  'stateId',
];

/**
 * The program's log: one JSON line per event. Requests are logged by their route's pattern, never by address, because queries may carry tokens; of
 * errors and their causes only name, message, code and stack are written.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[secret]' },
    serializers: { err: describeError, req: () => undefined, res: () => undefined },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Standard output. On a full disk pino's own destination would block at the first line: here lines wait up to the bound and are dropped beyond it,
 * because there is nobody to report to.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true, maxLength: mostWaiting });
  stream.on('error', () => undefined);
  return stream;
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown value is no Error' };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
