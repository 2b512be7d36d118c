import type { ConnectorError } from '@sheaf/connectors';
import { type AppError, type ErrorExtras, appError, reasonOf } from '@sheaf/contract';

/** The fingerprint that the user compares before trusting the certificate. */
export const certificateOf = ({ details: { fingerprint } }: ConnectorError): ErrorExtras =>
  fingerprint === undefined || fingerprint === '' ? {} : { certificate: fingerprint };

/** Distinguishes the reasons why a certificate is not trusted. */
export function certificateRefused(error: ConnectorError): AppError {
  const { problem, day = '', issuer = '' } = error.details;
  const extras = certificateOf(error);
  if (problem === 'expired') return appError('CERTIFICATE_EXPIRED', { day: day }, error, extras);
  if (problem === 'notYetValid') return appError('CERTIFICATE_NOT_YET_VALID', { day: day }, error, extras);
  if (problem === 'selfSigned') return appError('CERTIFICATE_SELF_SIGNED', {}, error, extras);
  if (problem === 'unknownAuthority')
    return appError('CERTIFICATE_UNTRUSTED', {}, error, {
      ...(issuer !== '' && { reason: reasonOf('CERTIFICATE_ISSUER', { issuer }) }),
      ...extras,
    });
  return appError('CERTIFICATE_MISSING', {}, error);
}

export function otherNames({ details: { host, names } }: ConnectorError): ErrorExtras {
  return host && names ? { reason: reasonOf('CERTIFICATE_OTHER_NAMES', { names, host }) } : {};
}

/** Why there is no connection, as far as the network reports it. */
export function whyUnreachable({ details: { problem, host = '', port = '' } }: ConnectorError): ErrorExtras {
  if (problem === 'unknownHost') return { reason: reasonOf('HOST_UNKNOWN', { host }) };
  if (problem === 'refused') return { reason: reasonOf('PORT_CLOSED', { host, port }) };
  return {};
}

/** What a server of another protocol did instead. */
export function otherProtocol({ details: { protocol = '', problem, seconds = '' } }: ConnectorError): ErrorExtras {
  if (problem === 'http') return { reason: reasonOf('SERVER_HTTP', {}) };
  if (problem === 'noAnswer') return { reason: reasonOf('SERVER_NO_ANSWER', { seconds }) };
  if (problem === 'implicitTls') return { reason: reasonOf('IMPLICIT_TLS', {}) };
  if (problem === 'tls') return { reason: reasonOf('SERVER_TLS', {}) };
  if (problem === 'silent') return { reason: reasonOf('SERVER_SILENT', { protocol }) };
  return {};
}
