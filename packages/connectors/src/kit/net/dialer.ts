import { lookup } from 'node:dns/promises';
import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { type ConnectionOptions, type TLSSocket, checkServerIdentity, connect as connectTls } from 'node:tls';
import { deadlines } from '../../core/deadlines.ts';
import type { DialTarget, Dialer, TlsRule } from '../../core/dialer.ts';
import { ConnectorError, type ConnectorErrorDetails } from '../../core/error.ts';
import { type PrivateNetworks, addressRule } from './addresses.ts';
import { judgeCertificate } from './certificates.ts';

interface Options {
  readonly privateNetworks: PrivateNetworks;
  /** Timeout per address, in ms. */
  readonly connectTimeout?: number;
  /** Resolves names; replaced in tests. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const resolveAll = async (host: string): Promise<readonly string[]> => (await lookup(host, { all: true })).map(({ address }) => address);

/** Creates the dialer of all connectors; see {@link Dialer} for its promises. */
export function createDialer({ privateNetworks, connectTimeout = deadlines.connect, resolve = resolveAll }: Options): Dialer {
  const mayReach = addressRule(privateNetworks);

  async function addressesOf(host: string): Promise<readonly string[]> {
    const bare = host.replace(/^\[|\]$/g, '');
    const found = isIP(bare) ? [bare] : await resolve(bare).catch((error: unknown) => Promise.reject(unresolved(bare, error)));
    const allowed = found.filter(mayReach);
    if (allowed.length === 0) throw new ConnectorError('unreachable', `no address of ${bare} may be used`);
    return allowed;
  }

  return {
    async connect(target: DialTarget) {
      const until = performance.now() + deadlines.login;
      let failure: unknown;
      for (const address of await addressesOf(target.host)) {
        try {
          return await attempt(target, address, connectTimeout);
        } catch (error) {
          if (!(error instanceof ConnectorError) || (error.kind !== 'unreachable' && error.kind !== 'timeout')) throw error;
          failure = error;
          if (performance.now() >= until) break;
        }
      }
      throw failure;
    },
    async upgrade(socket, { host, onread, options, ...rule }, signal) {
      // Without an explicit host Node would announce `localhost`, and such a session could not be resumed on another socket.
      const secure = connectTls({ ...options, host, ...tlsOptions(host, rule), ...(onread && { onread }), socket });
      await opened(secure, 'secureConnect', connectTimeout, { signal, host });
      return judged(secure, host, rule);
    },
  };
}

async function attempt(target: DialTarget, address: string, timeout: number): Promise<Socket> {
  const tcp = {
    host: address,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    ...(target.onread && { onread: target.onread }),
  };
  if (!target.tls) return opened(connectTcp(tcp), 'connect', timeout, target);
  const secure = connectTls({ ...tcp, ...tlsOptions(target.host, target.tls) });
  await opened(secure, 'secureConnect', timeout, target);
  return judged(secure, target.host, target.tls);
}

/** Returns the socket after its certificate was accepted; nothing can be sent before that. */
async function judged(socket: TLSSocket, host: string, rule: TlsRule): Promise<TLSSocket> {
  socket.on('error', ignoreAfterFailure);
  try {
    await judgeCertificate(socket, host, rule.verify);
    if (socket.destroyed) throw new ConnectorError('unreachable', 'closed while connecting', { retryable: true });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.off('error', ignoreAfterFailure);
  return socket;
}

/**
 * Checks names against the host that the user typed, even if it is an address; Node checks the chain, including NODE_EXTRA_CA_CERTS. Node
 * hides the certificate of a connection that it refuses itself, so `judged` refuses instead.
 */
function tlsOptions(host: string, rule: TlsRule): ConnectionOptions {
  const bare = (rule.servername ?? host).replace(/^\[|\]$/g, '');
  return {
    rejectUnauthorized: false,
    checkServerIdentity: (_name, certificate) => checkServerIdentity(bare, certificate),
    ...(isIP(bare) === 0 && { servername: bare }),
    ...(rule.session && { session: rule.session }),
    ...(rule.alpn && { ALPNProtocols: [...rule.alpn] }),
  };
}

function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeout: number,
  { signal, ...place }: Pick<DialTarget, 'host' | 'signal'> & Partial<Pick<DialTarget, 'port'>>,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new ConnectorError('timeout', `no connection within ${timeout} ms`, { retryable: true })), timeout);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      socket.off('close', onClose);
    };
    const fail = (error: ConnectorError) => {
      settle();
      socket.on('error', ignoreAfterFailure);
      socket.destroy();
      reject(error);
    };
    const onError = (error: Error) => fail(connectionError(error, place));
    const onClose = () => fail(new ConnectorError('unreachable', 'closed while connecting', { retryable: true }));
    const onAbort = () => fail(new ConnectorError('aborted', 'given up while connecting'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError);
    socket.once('close', onClose);
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
  });
}

/** A destroyed socket may still emit an error; the caller already has its own. */
const ignoreAfterFailure = (): void => undefined;

/** Distinguishes an unknown name from a resolver that does not answer: https://nodejs.org/api/dns.html#error-codes */
function unresolved(host: string, error: unknown): ConnectorError {
  const isUnknown = error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');
  return unreachable(`cannot resolve ${host}`, error, isUnknown ? { problem: 'unknownHost', host } : {});
}

const unreachable = (message: string, cause: unknown, details: ConnectorErrorDetails = {}) =>
  new ConnectorError('unreachable', message, { cause, retryable: true, details });

/** Maps a socket's error: a closed port, no connection, or no TLS. */
export function connectionError(error: Error, { host, port }: { readonly host?: string; readonly port?: number } = {}): ConnectorError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A server without TLS answers the handshake with other bytes.
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return new ConnectorError('certificateMissing', `no TLS: ${code}`, { cause: error, details: { problem: 'none' } });
  const refused = code === 'ECONNREFUSED' && host !== undefined && port !== undefined;
  return unreachable(`cannot connect: ${code || error.message}`, error, refused ? { problem: 'refused', host, port: String(port) } : {});
}
