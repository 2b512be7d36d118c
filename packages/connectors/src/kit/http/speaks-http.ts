import { once } from 'node:events';
import type { Dialer } from '../../core/dialer.ts';
import { ConnectorError } from '../../core/error.ts';

/** Whether a server's first bytes are a status line: RFC 9112, 4. */
export const speaksHttp = (text: string): boolean => /^HTTP\/\d/.test(text);

/**
 * Whether the server at that address answers to HTTP. Sends a request without any secret, over a connection of its own, and waits for the first bytes
 * as long as the signal lets it.
 */
export async function answersHttp(
  dialer: Dialer,
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const socket = await dialer.connect({ host, port, signal });
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
    // Whoever asks has an error of its own; that this connection failed as well adds nothing.
    if (error instanceof ConnectorError || signal.aborted || isSystemError(error)) return false;
    throw error;
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error;
