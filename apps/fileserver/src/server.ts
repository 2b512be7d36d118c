import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { calls, capabilitiesOf, sendJson } from './calls.ts';
import type { Exported } from './listing/exported.ts';
import { Refusal, refusalOf, statuses } from './refusal.ts';

interface Options {
  readonly exported: Exported;
  readonly login: (request: IncomingMessage) => Promise<void>;
  readonly readOnly: boolean;
  /** PEM text; absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Hears of failures that are nobody's fault but the server's. */
  readonly onFault: (error: unknown) => void;
}

/** ms without a byte after which a body that is on its way counts as given up. */
const silence = 120_000;
/** A path of 4,096 bytes, each encoded as three characters, twice. */
const maxHeaderSize = 32 * 1024;
/** ms a connection is kept for the next request. */
const keepAliveTimeout = 60_000;
/** ms for the head of a request. */
const headersTimeout = 30_000;

/** The file server; it does not listen yet. */
export function createFileServer({ exported, login, readOnly, tls, onFault }: Options): Server {
  const capabilities = capabilitiesOf({ readOnly });

  async function answer(request: IncomingMessage, response: ServerResponse, waits: boolean): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    watchBody(request);
    try {
      await login(request);
      const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
      const call = calls[`${request.method} ${path}`];
      if (!call) throw new Refusal('unsupported', 'there is no such call');
      if (call.capability !== undefined && !capabilities.includes(call.capability))
        throw new Refusal('forbidden', 'this file server is read-only');
      const onWanted = () => {
        if (waits) response.writeContinue();
      };
      await call.run({ exported, request, response, query, capabilities, signal: gone.signal, onWanted });
    } catch (error) {
      refuse(response, error, gone.signal);
    }
  }

  function refuse(response: ServerResponse, error: unknown, { aborted }: AbortSignal): void {
    const { code, message, headers } = refusalOf(error);
    if (code === 'unexpected' && !aborted) onFault(error);
    if (response.headersSent) response.destroy();
    else sendJson(response, statuses[code], { code, message }, headers);
  }

  const serve =
    ({ waits }: { readonly waits: boolean }) =>
    (request: IncomingMessage, response: ServerResponse) => {
      answer(request, response, waits).catch(onFault);
    };
  const options = { maxHeaderSize, keepAliveTimeout, headersTimeout, requestTimeout: 0 };
  const server = tls ? createTlsServer({ ...options, ...tls }) : createServer(options);
  return server.on('request', serve({ waits: false })).on('checkContinue', serve({ waits: true }));
}

/** Bodies must keep moving; work on the disk may take as long as it takes. */
function watchBody(request: IncomingMessage): void {
  const isStream = request.method === 'GET' || request.method === 'PUT' || request.url === '/sheaf/v1/contents';
  request.socket.setTimeout(isStream ? silence : 0);
  if (request.method === 'PUT') request.once('end', () => request.socket.setTimeout(0));
}
