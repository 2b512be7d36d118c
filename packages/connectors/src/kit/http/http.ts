import type { Readable } from 'node:stream';
import type { Body } from '../../core/connector.ts';
import type { CertificateRule, Dialer } from '../../core/dialer.ts';
import type { Chunks } from '../body/chunks.ts';

/** One request of a connector. Paths are sent unchanged: already percent-encoded, beginning with `/`, including the query. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Chunks | Readable;
  /** Length of a streamed body; without it the body is sent in chunks. */
  readonly size?: number;
  readonly signal: AbortSignal;
  /** Timeout in ms for the head of this response instead of the default, for slow requests such as copying a folder. */
  readonly headTimeout?: number;
  /** Origin of another host than the client's own, such as a bucket's: `https://host:port`. */
  readonly origin?: string;
}

/**
 * A response whose head has arrived. The body of a success must be consumed by exactly one of `text`, `stream`, `body` or `discard`, or its
 * request's signal be aborted; any other response has been read already and holds no connection.
 */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Reads the whole body, for small responses; rejects with `unexpected` beyond `limit` bytes (1 MiB by default). */
  text(limit?: number): Promise<string>;
  /** Yields chunks as they arrive, for parsers; each is valid until the next is requested. */
  stream(): AsyncIterable<Uint8Array>;
  /** Returns the body of a file, in large lent buffers. Checks Content-Length. */
  body(entry?: Body['entry']): Body;
  /** Discards the body, so that the connection can be reused. */
  discard(): Promise<void>;
}

/**
 * A client of one server: keeps and reuses at most `maxConnections` connections. Every request has a timeout for the head of its response
 * and one for silence of its body. Does not follow redirects: the caller decides. Rejects with ConnectorErrors of the Dialer's kinds, and
 * with `interrupted`.
 */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

export interface HttpOptions {
  /** `http://host:port` or `https://host:port`, without a path. */
  readonly origin: string;
  readonly dialer: Dialer;
  /** Requirements for the server's certificate. */
  readonly verify: CertificateRule;
  readonly maxConnections?: number;
  /** Timeout in ms for the head of every response, after the request was sent, instead of the default; see `deadlines`. */
  readonly headTimeout?: number;
  /** Milliseconds of silence after which a body counts as interrupted. */
  readonly idleTimeout?: number;
}
