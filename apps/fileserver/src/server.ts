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
  /** Called for failures of the server itself. */
  readonly onFault: (error: unknown) => void;
}

/** Milliseconds without a byte after which a body counts as abandoned. */
const silence = 120_000;
/** Two paths of 4,096 bytes, each byte encoded as three characters. */
const maxHeaderSize = 32 * 1024;
/** Keep-alive timeout in ms. */
const keepAliveTimeout = 60_000;
/** Timeout of a request's head in ms. */
const headersTimeout = 30_000;

/** Creates the file server; it does not listen yet. */
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

/** No limit on the whole request: bodies must keep moving, and the disk may take its time. */
function watchBody(request: IncomingMessage): void {
  const isStream = request.method === 'GET' || request.method === 'PUT' || request.url === '/sheaf/v1/contents';
  request.socket.setTimeout(isStream ? silence : 0);
  if (request.method === 'PUT') request.once('end', () => request.socket.setTimeout(0));
}
