import type { ConnectorError } from '@sheaf/connectors';
import { type AppError, type ErrorExtras, appError } from '@sheaf/contract';

/** The fingerprint that the user compares before trusting the certificate. */
export const certificateOf = ({ details: { fingerprint } }: ConnectorError): ErrorExtras =>
  fingerprint === undefined || fingerprint === '' ? {} : { certificate: fingerprint };

/** Distinguishes the reasons why a certificate is not trusted. */
export function certificateRefused(error: ConnectorError): AppError {
  const { problem, day = '', issuer = '' } = error.details;
  const extras = certificateOf(error);
  if (problem === 'expired') return appError('CERTIFICATE_EXPIRED', { day: written(day) }, error, extras);
  if (problem === 'notYetValid') return appError('CERTIFICATE_NOT_YET_VALID', { day: written(day) }, error, extras);
  if (problem === 'selfSigned') return appError('CERTIFICATE_SELF_SIGNED', {}, error, extras);
  if (problem === 'unknownAuthority')
    return appError('CERTIFICATE_UNTRUSTED', {}, error, { ...(issuer !== '' && { reason: `It was issued by ${issuer}.` }), ...extras });
  return appError('CERTIFICATE_MISSING', {}, error);
}

export function otherNames({ details: { host, names } }: ConnectorError): ErrorExtras {
  return host && names ? { reason: `The certificate is for ${names}, not for ${host}.` } : {};
}

/** Why there is no connection, as far as the network reports it. */
export function whyUnreachable({ details: { problem, host = '', port = '' } }: ConnectorError): ErrorExtras {
  if (problem === 'unknownHost') return { reason: `There is no host named ${host}.` };
  if (problem === 'refused') return { reason: `${host} is there, but nothing answers at port ${port}.` };
  return {};
}

/** What a server of another protocol did instead. */
export function otherProtocol({ details: { protocol = '', problem } }: ConnectorError): ErrorExtras {
  if (problem === 'implicitTls')
    return { reason: 'It wants TLS from the first byte (implicit TLS, usually port 990). Sheaf uses explicit TLS, usually port 21.' };
  if (problem === 'silent') return { reason: `It took the connection and said nothing; ${protocol} servers speak first.` };
  return {};
}

/** Formats `2026-10-01` as `1 October 2026`. */
const written = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
