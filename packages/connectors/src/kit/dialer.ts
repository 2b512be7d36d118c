import { lookup } from 'node:dns/promises';
import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { type ConnectionOptions, type TLSSocket, checkServerIdentity, connect as connectTls } from 'node:tls';
import type { DialTarget, Dialer, TlsRule } from '../core/dialer.ts';
import { ConnectorError } from '../core/error.ts';
import { type PrivateNetworks, addressRule } from './addresses.ts';

interface Options {
  readonly privateNetworks: PrivateNetworks;
  /** How long one address may take to answer, in ms. */
  readonly connectTimeout?: number;
  /** How names are resolved; tests give their own. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const resolveAll = async (host: string): Promise<readonly string[]> => (await lookup(host, { all: true })).map(({ address }) => address);

/** The dialer that every connector uses; see {@link Dialer} for its promises. */
export function createDialer({ privateNetworks, connectTimeout = 10_000, resolve = resolveAll }: Options): Dialer {
  const mayReach = addressRule(privateNetworks);

  async function addressesOf(host: string): Promise<readonly string[]> {
    const bare = host.replace(/^\[|\]$/g, '');
    const found = isIP(bare)
      ? [bare]
      : await resolve(bare).catch((error: unknown) => Promise.reject(unreachable(`cannot resolve ${bare}`, error)));
    const allowed = found.filter(mayReach);
    if (allowed.length === 0) throw new ConnectorError('unreachable', `no address of ${bare} may be used`);
    return allowed;
  }

  return {
    async connect(target: DialTarget) {
      let failure: unknown;
      for (const address of await addressesOf(target.host)) {
        try {
          return await attempt(target, address, connectTimeout);
        } catch (error) {
          if (!(error instanceof ConnectorError) || (error.kind !== 'unreachable' && error.kind !== 'timeout')) throw error;
          failure = error;
        }
      }
      throw failure;
    },
    upgrade(socket, { host, onread, options, ...rule }, signal) {
      // Without a host of its own Node would announce `localhost`, and such a session could not be resumed for another socket.
      const secure = connectTls({ ...options, host, ...tlsOptions(host, rule), ...(onread && { onread }), socket });
      return opened(secure, 'secureConnect', connectTimeout, signal) as Promise<TLSSocket>;
    },
  };
}

function attempt(target: DialTarget, address: string, timeout: number): Promise<Socket> {
  const tcp = {
    host: address,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    ...(target.onread && { onread: target.onread }),
  };
  if (!target.tls) return opened(connectTcp(tcp), 'connect', timeout, target.signal);
  return opened(connectTls({ ...tcp, ...tlsOptions(target.host, target.tls) }), 'secureConnect', timeout, target.signal);
}

/** Names are checked against the host the user typed, also when it is an address; the chain is checked by Node, NODE_EXTRA_CA_CERTS included. */
function tlsOptions(host: string, rule: TlsRule): ConnectionOptions {
  const bare = (rule.servername ?? host).replace(/^\[|\]$/g, '');
  return {
    rejectUnauthorized: rule.verify,
    checkServerIdentity: (_name, certificate) => checkServerIdentity(bare, certificate),
    ...(isIP(bare) === 0 && { servername: bare }),
    ...(rule.session && { session: rule.session }),
    ...(rule.alpn && { ALPNProtocols: [...rule.alpn] }),
  };
}

function opened(socket: Socket, event: 'connect' | 'secureConnect', timeout: number, signal: AbortSignal): Promise<Socket> {
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
    const onError = (error: Error) => fail(connectionError(error));
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

/** A destroyed socket may still report its end; the caller has its error already. */
const ignoreAfterFailure = (): void => undefined;

const unreachable = (message: string, cause: unknown) => new ConnectorError('unreachable', message, { cause, retryable: true });

/** Names of Node's and OpenSSL's certificate faults other than the wrong name: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO|CRL|ISSUER|SIGNATURE_FAILURE/;

/** What a socket's own error means to a user: no connection, the certificate of another host, or one that cannot be trusted. */
export function connectionError(error: Error): ConnectorError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new ConnectorError('certificateName', 'certificate is for another host', { cause: error });
  if (untrusted.test(code)) return new ConnectorError('certificateMissing', `certificate refused: ${code}`, { cause: error });
  // A server that does not speak TLS at all answers the handshake with something else.
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return new ConnectorError('certificateMissing', `no TLS: ${code}`, { cause: error });
  return unreachable(`cannot connect: ${code || error.message}`, error);
}
