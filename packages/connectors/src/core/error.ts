/**
 * What can go wrong at a source, told apart as far as a user would act differently.
 * `unreachable`: no connection. `timeout`: no answer in time. `interrupted`: cut while bytes were on their way.
 * `unauthorized`: login refused. `wrongKey`, `wrongSignature`, `noBucket`: an object store's three refusals. `wrongPassphrase`, `badKeyFile`: the key itself.
 * `damaged`: the bytes are not those the source's own hash tells.
 * `accountKind`: the account is none of those that the source is for. `appRefused`: the provider refuses the application that the operator registered. `needsAuthorization`: the provider no longer accepts what the user once granted. `certificateName`: the certificate is for another host. `certificateMissing`: none, or none that can be trusted (details.problem). `certificateChanged`: another than the accepted one (details.fingerprint). `moved`: details.address is the new one. `wrongProtocol`: not a server of details.protocol. `authType`: the server wants another way of login.
 * `failed`: the source says that it failed by itself, or did not do what it answered to have done.
 * `tooLarge`: a listing with more in it than anybody can take.
 * `hostKeyChanged`: details.fingerprint is the new one. `badConfig`: details.field is missing or malformed. `forbidden`: the account may not. `unexpected`: the answer makes no sense.
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
 * Further facts of a refusal: a name, a number, or a code that the connector has parsed. Never a server's prose, so that no sentence of a foreign
 * server is shown as Sheaf's.
 */
export interface ConnectorErrorDetails {
  /** The address that the server redirects to. */
  readonly address?: string;
  /** A code of the provider's protocol, for the connector itself. */
  readonly code?: string;
  /** As 2026-10-01. */
  readonly day?: string;
  /** The field of the configuration. */
  readonly field?: string;
  readonly fingerprint?: string;
  readonly host?: string;
  /** Issuer of the certificate. */
  readonly issuer?: string;
  /** A feature that an S3 server does not support or no longer has. */
  readonly lacks?: string;
  /** Hosts of a certificate. */
  readonly names?: string;
  /** `yes` for a read that was paused in favour of others. */
  readonly paused?: string;
  readonly port?: string;
  /** Which cause of this kind. */
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
  /** Milliseconds that the source asks to wait. */
  readonly retryAfter?: number;
  readonly details?: ConnectorErrorDetails;
}

/** The only error that leaves a connector. Its message is for the log only and contains no secret. */
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
