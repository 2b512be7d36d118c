/**
 * What can go wrong at a source, distinguished as far as a user would act differently.
 *
 * - `unreachable`: no connection. `timeout`: no answer in time. `interrupted`: the connection broke during a transfer.
 * - `unauthorized`: the login was refused; details.problem is `key` where it was one with a key. `authType`: the server requires another authentication method.
 * - `forbidden`: the account lacks permission; details.problem is `readOnly` where it may change nothing in the folder. `accountKind`: the source does not support this kind of account.
 * - `wrongKey`, `wrongSignature`, `noBucket`: three refusals of an object store.
 * - `wrongPassphrase`, `badKeyFile`: the private key cannot be used.
 * - `appRefused`: the provider refuses the application that the operator registered.
 * - `needsAuthorization`: the provider no longer accepts the user's grant.
 * - `certificateName`: the certificate is for another host. `certificateMissing`: there is none, or it is not trusted (details.problem).
 * - `certificateChanged`, `hostKeyChanged`: not the accepted one; details.fingerprint is the new one.
 * - `moved`: the server redirects to details.address. `wrongProtocol`: the server does not speak details.protocol.
 * - `badConfig`: details.field is missing or malformed.
 * - `damaged`: the bytes do not match the source's own hash.
 * - `failed`: the source reports an internal error, or, where details.problem is `notDone`, did not do what it confirmed.
 * - `tooLarge`: a listing with more entries than Sheaf accepts.
 * - `unexpected`: the answer is invalid; details.problem is `page` for a web page in place of a file.
 */
export const connectorErrorKinds = [
  'aborted',
  'accountKind',
  'alreadyExists',
  'appRefused',
  'authType',
  'badConfig',
  'badKeyFile',
  'badName',
  'badRange',
  'certificateChanged',
  'certificateMissing',
  'certificateName',
  'damaged',
  'failed',
  'forbidden',
  'full',
  'hostKeyChanged',
  'interrupted',
  'isAFolder',
  'moved',
  'needsAuthorization',
  'noBucket',
  'notAFolder',
  'notEmpty',
  'notFound',
  'rateLimited',
  'sizeDiffers',
  'timeout',
  'tooLarge',
  'unauthorized',
  'unexpected',
  'unreachable',
  'unsupported',
  'wrongKey',
  'wrongPassphrase',
  'wrongProtocol',
  'wrongSignature',
] as const;
export type ConnectorErrorKind = (typeof connectorErrorKinds)[number];

/**
 * Further facts about an error: a name, a number, or a code that the connector has parsed. Never text written by a server, so that no
 * foreign sentence is shown as Sheaf's.
 */
export interface ConnectorErrorDetails {
  /** The address that the server redirects to. */
  readonly address?: string;
  /** A code of the provider's protocol, used inside the connector. */
  readonly code?: string;
  /** A date, such as 2026-10-01. */
  readonly day?: string;
  /** The field of the configuration. */
  readonly field?: string;
  readonly fingerprint?: string;
  readonly host?: string;
  /** Issuer of the certificate. */
  readonly issuer?: string;
  /** A feature that an S3 server does not support, or no longer supports. */
  readonly lacks?: string;
  /** Host names in a certificate. */
  readonly names?: string;
  /** `yes` for a read that was paused so that other calls could run. */
  readonly paused?: string;
  readonly port?: string;
  /** Distinguishes causes of the same kind. */
  readonly problem?: string;
  /** The expected protocol. */
  readonly protocol?: string;
  /** Seconds without an answer. */
  readonly seconds?: string;
  /** The rule that the value of `field` violates. */
  readonly reason?: string;
  /** The missing OAuth scope. */
  readonly scope?: string;
  /** What the call waited for, as a code of the layers. */
  readonly waited?: string;
  /** Name of the file whose upload uses a connection. */
  readonly uploading?: string;
}

interface Options {
  readonly cause?: unknown;
  /** Whether the same call may succeed a moment later. */
  readonly retryable?: boolean;
  /** Wait in ms that the source requests. */
  readonly retryAfter?: number;
  readonly details?: ConnectorErrorDetails;
}

/** The only error that a connector throws. Its message is for the log only and contains no secret. */
export class ConnectorError extends Error {
  readonly kind: ConnectorErrorKind;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly details: ConnectorErrorDetails;

  constructor(kind: ConnectorErrorKind, message: string, { cause, retryable = false, retryAfter, details = {} }: Options = {}) {
    super(message, { cause });
    this.name = 'ConnectorError';
    this.kind = kind;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.details = details;
  }
}

export const isKind = (error: unknown, ...kinds: readonly ConnectorErrorKind[]): error is ConnectorError =>
  error instanceof ConnectorError && kinds.includes(error.kind);

/** Pages returned in place of a file, such as a login form, are HTML; a file that really is a page has a name that says so. */
export const looksLikePage = (path: string, { mimeType }: { readonly mimeType?: string }): boolean =>
  mimeType?.toLowerCase().startsWith('text/html') === true && !/\.[a-z]?html?$/i.test(path);

/** The error for a body of `came` bytes in place of a file of `expected` bytes; `isPage` when it looks like a web page. */
export const wrongSize = (came: number, expected: number, isPage: boolean): ConnectorError =>
  new ConnectorError('unexpected', `the source sends ${came} bytes for a file of ${expected}`, {
    ...(isPage && { details: { problem: 'page' } }),
  });
