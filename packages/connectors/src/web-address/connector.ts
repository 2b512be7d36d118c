import type { Connector, Entry, ReadOptions } from '../core/connector.ts';
import type { Dialer } from '../core/dialer.ts';
import { ConnectorError, type ConnectorErrorKind } from '../core/error.ts';
import type { HashName } from '../core/hashes.ts';
import { createHttp } from '../kit/http/http-client.ts';
import { httpDate } from '../kit/http/http-date.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../kit/http/http.ts';
import { partOf, rangeHeader } from '../kit/http/part-of.ts';
import { fileNameAt } from './file-name.ts';

interface WebAddress {
  /** `http:` or `https:`. User and password in it are sent to its own host only. */
  readonly address: URL;
  readonly dialer: Dialer;
  /** The file's name in Sheaf; by default the name that the server sends. */
  readonly name?: string;
  /** The expected hash, in lower-case hexadecimal. */
  readonly hash?: { readonly name: HashName; readonly value: string };
  /** Maximum number of redirects; five by default. */
  readonly redirects?: number;
}

/** Default maximum of redirects, as in early browsers (RFC 2068, section 10.3). */
const mostRedirects = 5;
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];
/** Statuses with which servers may refuse HEAD although they accept GET. */
const withoutHead: readonly number[] = [400, 403, 405, 501];

const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'notFound',
  410: 'notFound',
  429: 'rateLimited',
  503: 'rateLimited',
};

/**
 * The file at a web address, as the only file of a read-only source: `stat` and `read` return it for every path. Follows redirects, but not
 * from https to http. https://www.rfc-editor.org/rfc/rfc9110
 */
export function openWebAddress({ address, dialer, name, hash, redirects = mostRedirects }: WebAddress): Connector {
  if (address.protocol !== 'http:' && address.protocol !== 'https:')
    throw new ConnectorError('badConfig', 'neither http nor https', { details: { field: 'address' } });
  const clients = new Map<string, HttpClient>();
  const clientOf = (origin: string): HttpClient => {
    const client = clients.get(origin) ?? createHttp({ origin, dialer, verify: true, maxConnections: 2 });
    clients.set(origin, client);
    return client;
  };
  const login =
    address.username === ''
      ? {}
      : { authorization: `Basic ${Buffer.from(`${plain(address.username)}:${plain(address.password)}`).toString('base64')}` };

  async function ask(request: Pick<HttpRequest, 'method' | 'headers' | 'signal'>): Promise<{ response: HttpResponse; at: URL }> {
    let at = address;
    for (let hops = 0; hops <= redirects; hops++) {
      const headers = { 'accept-encoding': 'identity', ...(at.origin === address.origin && login), ...request.headers };
      const response = await clientOf(at.origin).request({ ...request, headers, path: at.pathname + at.search });
      if (!redirectStatuses.includes(response.status)) return { response, at };
      const { location = '' } = response.headers;
      if (!URL.canParse(location, at)) throw new ConnectorError('unexpected', 'the server sends the request nowhere');
      const next = new URL(location, at);
      if (next.protocol !== 'https:' && next.protocol !== at.protocol)
        throw new ConnectorError('moved', 'the server sends the request to another protocol', { details: { address: next.origin } });
      at = next;
    }
    throw new ConnectorError('unexpected', `more than ${redirects} redirects`);
  }

  const entryOf = ({ headers }: HttpResponse, at: URL, size: number | undefined): Entry => {
    const modified = httpDate(headers['last-modified'] ?? '');
    const { etag } = headers;
    const [mimeType = ''] = (headers['content-type'] ?? '').split(';');
    return {
      name: name ?? fileNameAt(at, headers['content-disposition']),
      kind: 'file',
      ...(size !== undefined && { size }),
      ...(modified !== undefined && { modified }),
      ...(etag !== undefined && { etag }),
      ...(mimeType !== '' && { mimeType: mimeType.trim() }),
      ...(hash && { hashes: { [hash.name]: hash.value } }),
    };
  };

  /** Uses HEAD, or a GET of the first byte where the server refuses HEAD. */
  async function stat(signal: AbortSignal): Promise<Entry> {
    const head = await ask({ method: 'HEAD', signal });
    if (head.response.status === 200) {
      await head.response.discard();
      return entryOf(head.response, head.at, lengthOf(head.response));
    }
    if (!withoutHead.includes(head.response.status)) throw await refusal(head.response);
    const { response, at } = await ask({ method: 'GET', headers: { range: 'bytes=0-0' }, signal });
    if (response.status !== 200 && response.status !== 206) throw await refusal(response);
    const [, total] = /\/(\d{1,15})$/.exec(response.headers['content-range'] ?? '') ?? [];
    const size = response.status === 206 ? (total === undefined ? undefined : Number(total)) : lengthOf(response);
    response.body().cancel();
    return entryOf(response, at, size);
  }

  return {
    ...(hash && { hashes: [hash.name] }),
    async *list() {
      yield await Promise.reject<Entry[]>(new ConnectorError('notAFolder', 'an address of the web is no folder'));
    },
    stat: (_path, { signal }) => stat(signal),
    async read(_path, { range, signal }: ReadOptions) {
      const { response, at } = await ask({ method: 'GET', headers: rangeHeader(range), signal });
      if (![200, 206, 416].includes(response.status)) throw await refusal(response);
      const { modified, etag, mimeType } = entryOf(response, at, undefined);
      const entry = {
        ...(modified !== undefined && { modified }),
        ...(etag !== undefined && { etag }),
        ...(mimeType !== undefined && { mimeType }),
      };
      return partOf(response, range, { ...entry, ...(hash && { hashes: { [hash.name]: hash.value } }) });
    },
    async close() {
      for (const client of clients.values()) client.close();
    },
  };
}

/** Decodes percent-encoding; returns text with invalid encoding unchanged, because its percent signs then belong to the password. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function lengthOf({ headers }: HttpResponse): number | undefined {
  const length = headers['content-length'];
  return length === undefined || !/^\d{1,15}$/.test(length) ? undefined : Number(length);
}

async function refusal(response: HttpResponse): Promise<ConnectorError> {
  await response.discard();
  const { status } = response;
  const kind = kindOfStatus[status] ?? (status >= 500 ? 'unreachable' : 'unexpected');
  return new ConnectorError(kind, `the server answered ${status}`, { retryable: kind === 'rateLimited' || kind === 'unreachable' });
}
