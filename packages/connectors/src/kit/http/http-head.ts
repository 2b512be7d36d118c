import { ConnectorError } from '../../core/error.ts';

/** How the end of a response's body is determined: RFC 9112, section 6.3. */
export type Framing =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  /** The body ends with the connection. */
  | { readonly kind: 'close' };

/** The head of a response. */
export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly framing: Framing;
  /** Whether the connection may be reused after the body. */
  readonly keepAlive: boolean;
  /** Keep-alive time in ms promised by the server; absent without a promise. */
  readonly keepAliveFor?: number;
}

/** Maximum bytes of a head; real heads have a few hundred. */
export const headLimit = 64 * 1024;

const notHttp = (message: string) => new ConnectorError('unexpected', message);

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r\n\0]*)?$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/;

/**
 * Parses the head of a response to a request with that method; `text` is everything before the empty line. Throws ConnectorError
 * `unexpected` for anything that RFC 9112 forbids: folded lines, contradicting lengths, transfer codings other than chunked.
 */
export function parseHead(text: string, method: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const start = statusLine.exec(first);
  if (!start) throw notHttp('the answer is not HTTP/1');
  const headers = headersOf(lines);
  const status = Number(start[2]);
  const framing = framingOf(status, method, headers);
  const persistent = start[1] === '1' ? !hasToken(headers['connection'], 'close') : hasToken(headers['connection'], 'keep-alive');
  const promised = /(?:^|[,;\s])timeout=(\d{1,6})/i.exec(headers['keep-alive'] ?? '')?.[1];
  return {
    status,
    headers,
    framing,
    keepAlive: persistent && framing.kind !== 'close',
    ...(promised !== undefined && { keepAliveFor: Number(promised) * 1000 }),
  };
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined || value === undefined) throw notHttp('a header line is malformed');
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

const hasToken = (value: string | undefined, token: string): boolean =>
  value !== undefined && value.split(',').some((part) => part.trim().toLowerCase() === token);

function framingOf(status: number, method: string, headers: Readonly<Record<string, string>>): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { kind: 'length', length: 0 };
  const coding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw notHttp('the answer has a transfer coding that was not asked for');
    if (length !== undefined) throw notHttp('the answer is chunked and has a length');
    return { kind: 'chunked' };
  }
  if (length === undefined) return { kind: 'close' };
  const [value = '', ...others] = length.split(',').map((part) => part.trim());
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(Number(value)) || others.some((other) => other !== value))
    throw notHttp('the answer has no sensible length');
  return { kind: 'length', length: Number(value) };
}

/**
 * Encodes a request's head. Throws ConnectorError `unexpected` when the path or a header contains a line break, which would change the
 * request.
 */
export function encodeHead(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) throw notHttp('a request path must be percent-encoded');
  let head = `${method} ${path} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw notHttp(`the header ${name} cannot be sent`);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}\r\n`;
}
