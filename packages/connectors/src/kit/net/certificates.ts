import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Env } from '../../core/definition.ts';
import type { CertificateRule } from '../../core/dialer.ts';
import { ConnectorError, type ConnectorErrorDetails } from '../../core/error.ts';

interface Choice {
  /** Whether the certificate must be valid; otherwise the link is pinned to the first certificate, or to the one that its user accepted. */
  readonly verify: boolean;
  /** SHA-256 fingerprint of the accepted certificate; '' if the user was not asked. */
  readonly acceptedCertificate: string;
}

/**
 * Returns the rule for a link's certificates. Without validation, the first or accepted certificate is required from then on, as with SSH
 * host keys.
 */
export function certificateRule({ verify, acceptedCertificate }: Choice, env: Partial<Pick<Env, 'recall' | 'remember'>>): CertificateRule {
  if (verify) return true;
  let recalled: Promise<string | undefined> | undefined;
  let pinned: string | undefined;
  return async (fingerprint) => {
    recalled ??= Promise.resolve(env.recall?.(certificateFact));
    const stored = await recalled;
    // Reads the fact again after waiting: another connection may have stored the first certificate.
    const known = pinned ?? stored;
    if (fingerprint === known) return;
    const isFirst = known === undefined && acceptedCertificate === '';
    if (!isFirst && fingerprint !== acceptedCertificate)
      throw new ConnectorError('certificateChanged', 'the server shows another certificate than the accepted one', {
        details: { fingerprint },
      });
    pinned = fingerprint;
    await env.remember?.(certificateFact, fingerprint);
  };
}

const certificateFact = 'certificate';

/** Rejects unless the server's certificate fulfils the rule. A pin skips resumed sessions, whose certificate was checked before. */
export async function judgeCertificate(socket: TLSSocket, host: string, rule: CertificateRule): Promise<void> {
  if (rule === true) {
    if (!socket.authorized) throw certificateError(socket, host);
    return;
  }
  if (!socket.isSessionReused()) await rule(socket.getPeerCertificate().fingerprint256 ?? '');
}

/** Returns the error for a certificate, for the user: details.problem, details.fingerprint, and further details by problem. */
function certificateError(socket: TLSSocket, host: string): ConnectorError {
  const certificate = socket.getPeerCertificate(true);
  // Node's types declare an Error here, but it is its code: https://nodejs.org/api/tls.html#tlssocketauthorizationerror
  const code = String(socket.authorizationError);
  const fingerprint = certificate.fingerprint256 ?? '';
  const of = (problem: string, more: ConnectorErrorDetails = {}) =>
    new ConnectorError('certificateMissing', `certificate refused: ${code}`, { details: { problem, fingerprint, ...more } });
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new ConnectorError('certificateName', 'certificate is for another host', {
      details: { fingerprint, host, names: namesOf(certificate) },
    });
  const outdated = chainOf(certificate).find(({ valid_to: end }) => Date.parse(end) < Date.now());
  if (code === 'CERT_HAS_EXPIRED') return of('expired', { day: dayOf((outdated ?? certificate).valid_to) });
  if (code === 'CERT_NOT_YET_VALID') return of('notYetValid', { day: dayOf(certificate.valid_from) });
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return of('selfSigned');
  return of('unknownAuthority', { issuer: textOf(certificate.issuer?.O) || textOf(certificate.issuer?.CN) });
}

/** Returns the certificate and its issuers, up to the self-signed one. */
function chainOf(leaf: DetailedPeerCertificate): readonly DetailedPeerCertificate[] {
  const chain = new Set<DetailedPeerCertificate>();
  for (let one: DetailedPeerCertificate | undefined = leaf; one && !chain.has(one); one = one.issuerCertificate) chain.add(one);
  return [...chain];
}

/** Returns the names in `DNS:a.example, IP Address:10.0.0.1` without their types; the common name when there are none. */
const namesOf = ({ subjectaltname, subject }: DetailedPeerCertificate): string =>
  subjectaltname?.replace(/(^|, )(?:DNS|IP Address):/g, '$1') ?? textOf(subject?.CN);

const textOf = (value: string | readonly string[] | undefined): string => (typeof value === 'string' ? value : (value?.[0] ?? ''));

/** Formats a certificate's date as a UTC day: `2026-10-01`. */
const dayOf = (date: string): string => new Date(date).toISOString().slice(0, 10);
