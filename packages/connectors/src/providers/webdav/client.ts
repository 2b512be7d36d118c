import { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kit/http/http.ts';
import type { WebdavConfig } from './config.ts';
import { createLogin } from './login.ts';

/** Sends authenticated requests to the link's server. */
export interface DavClient {
  /** Resolves with any response except a refused login, which rejects with `unauthorized` or `authType`. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

const redirects: readonly number[] = [301, 302, 307, 308];
const redirectLimit = 3;
/** Login attempts per request: one without a nonce, one with it, one more in case it has just expired. */
const loginLimit = 3;
/** Methods without side effects, for which redirects may be followed. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND'];

/**
 * Creates the client. Redirects of safe methods are followed within the link's own origin; those of other methods, and of a GET to the same
 * path with a trailing slash (a folder), are returned to the caller.
 */
export function createDavClient(http: HttpClient, config: WebdavConfig): DavClient {
  const login = createLogin(config);

  async function signedIn(request: HttpRequest): Promise<HttpResponse> {
    for (let tries = 1; ; tries += 1) {
      const authorization = login.authorize(request.method, request.path);
      const headers = { ...request.headers, ...(authorization !== undefined && { authorization }) };
      const response = await http.request({ ...request, headers });
      if (response.status !== 401) {
        login.accepted();
        return response;
      }
      await response.discard();
      login.refused(authorization, response.headers['www-authenticate']);
      if (tries === loginLimit) throw new ConnectorError('unauthorized', 'the server refuses every login');
      if (request.body instanceof Readable && request.body.readableDidRead)
        throw new ConnectorError('interrupted', 'the server wanted a new login when the bytes were spent', { retryable: true });
    }
  }

  return {
    async send(request) {
      let { path } = request;
      for (let hops = 0; ; hops += 1) {
        const response = await signedIn({ ...request, path });
        if (!redirects.includes(response.status) || !safeMethods.includes(request.method)) return response;
        const next = URL.parse(response.headers['location'] ?? '', config.origin + path);
        if (request.method === 'GET' && next?.pathname === `${path}/`) return response;
        await response.discard();
        if (next && next.origin !== config.origin && /^https?:$/.test(next.protocol)) throw moved(next);
        if (!next || next.origin !== config.origin || hops === redirectLimit)
          throw new ConnectorError('unexpected', 'the server sends the request elsewhere');
        path = next.pathname + next.search;
      }
    },
  };
}

/** The credentials are not sent to another server than the one the user named: the user decides. */
const moved = ({ origin, pathname }: URL): ConnectorError =>
  new ConnectorError('moved', 'the server sends the request to another one', {
    details: { address: origin + pathname.replace(/\/+$/, '') },
  });
