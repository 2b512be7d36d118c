import { once } from 'node:events';
import type { Dialer, TlsRule } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';

/** Whether a server's first bytes are a status line: RFC 9112, section 4. */
export const speaksHttp = (text: string): boolean => /^HTTP\/\d/.test(text);

/** Greetings of servers that speak first: SSH (RFC 4253, section 4.2), FTP and SMTP (220), IMAP and POP3. */
const greeting = /^(?:SSH-\d|220[ -]|\* OK|\+OK)/;

/**
 * The error for a response whose first bytes, as latin1 text, are not HTTP; names the protocol that the server speaks instead, where the
 * bytes show it.
 */
export function notHttp(text: string): ConnectorError {
  // A TLS alert (RFC 8446, 5.1 and 6): the server was expecting TLS.
  if (text.startsWith('\x15\x03'))
    return new ConnectorError('wrongProtocol', 'the server wants TLS', { details: { protocol: 'HTTP', problem: 'tls' } });
  if (greeting.test(text))
    return new ConnectorError('wrongProtocol', 'the server greets like another one', { details: { protocol: 'HTTP' } });
  return new ConnectorError('unexpected', 'the answer has no HTTP head');
}

interface Address {
  readonly host: string;
  readonly port: number;
  /** Uses HTTPS. */
  readonly tls?: TlsRule;
}

/**
 * Whether the server at that address answers HTTP. Sends a request without any secret over a separate connection, and waits for the first
 * bytes until the signal aborts.
 */
export async function answersHttp(dialer: Dialer, address: Address, signal: AbortSignal): Promise<boolean> {
  try {
    const socket = await dialer.connect({ ...address, signal });
    try {
      const [, first] = await Promise.all([
        new Promise<void>((resolve) => socket.write('HEAD / HTTP/1.0\r\n\r\n', () => resolve())),
        Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal }).then(() => [''])]),
      ]);
      return speaksHttp(String(first[0]));
    } finally {
      socket.destroy();
    }
  } catch (error) {
    // The caller has its own error to report; that this connection failed as well adds nothing.
    if (error instanceof ConnectorError || signal.aborted || isSystemError(error)) return false;
    throw error;
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error;
