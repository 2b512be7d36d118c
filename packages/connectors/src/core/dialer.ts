import type { OnReadOpts, Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';

/** Where to connect, and how. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  /** Present: TLS from the first byte. */
  readonly tls?: TlsRule;
  /** Reads straight into buffers of one's own: see `net.Socket`'s option `onread`. */
  readonly onread?: OnReadOpts;
}

/** Decides on a certificate by its SHA-256 fingerprint (`AB:CD:…`): rejects with `certificateChanged` where it is not the accepted one. */
export type Pin = (fingerprint: string) => Promise<void>;

/** True: the certificate must be valid for the host. A pin stands in for that: no certificate at all is taken blindly. */
export type CertificateRule = true | Pin;

export interface TlsRule {
  readonly verify: CertificateRule;
  readonly servername?: string;
  readonly session?: Buffer;
  readonly alpn?: readonly string[];
}

/**
 * Opens sockets, `setNoDelay` on, to addresses that links may point at: names are resolved here, each address is checked, and the socket goes to the checked one.
 * Rejects with ConnectorError `unreachable`, `timeout`, `aborted`, `certificateName`, `certificateMissing` or `certificateChanged`.
 */
export interface Dialer {
  connect(target: DialTarget): Promise<Socket>;
  /** Starts TLS on a connected socket (FTP's AUTH TLS). Same errors as `connect`. */
  upgrade(
    socket: Socket,
    rule: TlsRule & { readonly host: string; readonly onread?: OnReadOpts; readonly options?: ConnectionOptions },
    signal: AbortSignal,
  ): Promise<TLSSocket>;
}
