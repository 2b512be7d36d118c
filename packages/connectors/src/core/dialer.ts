import type { OnReadOpts, Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';

/** Target and options of a connection. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  /** If set, TLS starts with the first byte. */
  readonly tls?: TlsRule;
  /** Reads into the caller's buffers: see `net.Socket`'s option `onread`. */
  readonly onread?: OnReadOpts;
}

/** Checks a certificate by its SHA-256 fingerprint (`AB:CD:…`): rejects with `certificateChanged` if it is not the accepted one. */
export type Pin = (fingerprint: string) => Promise<void>;

/** Whether the certificate must be valid for the host. Without this a pin is required: no certificate is accepted blindly. */
export type CertificateRule = true | Pin;

export interface TlsRule {
  readonly verify: CertificateRule;
  readonly servername?: string;
  readonly session?: Buffer;
  readonly alpn?: readonly string[];
}

/**
 * Opens sockets, with `setNoDelay`, to addresses that links may use: resolves names, checks each address, and connects to a checked one.
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
