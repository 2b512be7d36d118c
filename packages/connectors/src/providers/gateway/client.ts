import type { Entry } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kit/http/http.ts';
import { prefix, readEntry, wirePath } from './api.ts';
import type { GatewayConfig } from './config.ts';
import { refuse } from './errors.ts';

/** One call of the protocol. */
export interface GatewayCall extends Pick<HttpRequest, 'signal' | 'headers' | 'body' | 'size'> {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly name: 'info' | 'entries' | 'entry' | 'content' | 'contents' | 'folder' | 'move' | 'copy' | 'upload' | 'part' | 'finish';
  /** Paths by parameter name, not yet encoded. */
  readonly paths?: Readonly<Record<string, string>>;
  /** Further parameters: ids and byte counts. */
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface GatewayClient {
  /** Resolves with a successful response; otherwise rejects. */
  send(call: GatewayCall): Promise<HttpResponse>;
  /** Sends a call whose response is an entry. */
  sendForEntry(call: GatewayCall): Promise<Entry>;
}

/** Calls whose work grows with what lies below a folder, or with the size of a file. */
const isLong = ({ method, name }: GatewayCall): boolean => method === 'DELETE' || name === 'move' || name === 'copy' || name === 'finish';

export function createGatewayClient(http: HttpClient, { base, authorization, refused }: GatewayConfig): GatewayClient {
  async function send(call: GatewayCall): Promise<HttpResponse> {
    const { method, name, paths = {}, values = {}, headers, ...rest } = call;
    const query = [
      ...Object.entries(paths).map(([parameter, path]) => `${parameter}=${wirePath(path)}`),
      ...Object.entries(values).map(([parameter, value]) => `${parameter}=${encodeURIComponent(value)}`),
    ];
    const response = await http.request({
      ...rest,
      method,
      path: `${base}${prefix}/${name}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: { ...headers, authorization },
      ...(isLong(call) && { headTimeout: deadlines.longWork }),
    });
    if (response.status >= 200 && response.status < 300) return response;
    if (response.status >= 400) return refuse(response, refused);
    await response.discard();
    throw new ConnectorError('unexpected', `the server sends the request elsewhere: ${response.status}`);
  }
  return { send, sendForEntry: async (call) => readEntry(await (await send(call)).text()) };
}
