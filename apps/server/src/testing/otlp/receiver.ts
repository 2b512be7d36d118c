import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { all, integer, one } from './protobuf.ts';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
  readonly milliseconds: number;
}
export interface ReceivedPoint {
  readonly metric: string;
  readonly facts: Readonly<Record<string, string | number>>;
  /** Of a histogram its count. */
  readonly value: number;
}

type Conduct = 'takes' | 'hangs' | number;

/** A collector that takes OTLP over HTTP in Protocol Buffers (https://github.com/open-telemetry/opentelemetry-proto), and keeps all of it. */
export async function startOtlpReceiver(port = 0) {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const messages: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];
  const hanging = new Set<ServerResponse>();
  let conduct: Conduct = 'takes';
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      messages.push({ path: request.url ?? '', headers: request.headers, body });
      if (conduct === 'hangs') return void hanging.add(response);
      if (conduct !== 'takes') return void response.writeHead(conduct).end('no');
      assert.equal(request.headers['content-type'], 'application/x-protobuf');
      if (request.url === '/v1/traces') spans.push(...spansIn(body));
      else if (request.url === '/v1/metrics') points.push(...pointsIn(body));
      else return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}`,
    port: at,
    spans,
    /** All values of all metrics, oldest first. */
    points,
    /** Everything that came, refused or not. */
    messages,
    /** From now on it takes what comes, keeps its senders waiting, or answers with this status. */
    conduct: (now: Conduct) => void (conduct = now),
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function valueOf(any: Buffer): string | number {
  const text = all(any, 1)[0];
  if (text) return text.toString();
  const double = all(any, 4)[0];
  return double ? double.readDoubleLE() : integer(any, 3);
}
const factsOf = (attributes: readonly Buffer[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map((pair) => [one(pair, 1).toString(), valueOf(one(pair, 2))]));

const spansIn = (body: Buffer): ReceivedSpan[] =>
  all(body, 1)
    .flatMap((ofResource) => all(ofResource, 2))
    .flatMap((ofScope) => all(ofScope, 2))
    .map((span) => ({
      traceId: one(span, 1).toString('hex'),
      spanId: one(span, 2).toString('hex'),
      parentId: one(span, 4).toString('hex'),
      name: one(span, 5).toString(),
      facts: factsOf(all(span, 9)),
      hasFailed: integer(one(span, 15), 3) === 2,
      milliseconds: Number(one(span, 8).readBigUInt64LE() - one(span, 7).readBigUInt64LE()) / 1e6,
    }));

const pointsIn = (body: Buffer): ReceivedPoint[] =>
  all(body, 1)
    .flatMap((ofResource) => all(ofResource, 2))
    .flatMap((ofScope) => all(ofScope, 2))
    .flatMap((metric) => {
      const name = one(metric, 1).toString();
      const gauges = all(one(metric, 5), 1).map((point) => ({
        metric: name,
        facts: factsOf(all(point, 7)),
        value: all(point, 4)[0]?.readDoubleLE() ?? Number(all(point, 6)[0]?.readBigInt64LE() ?? 0n),
      }));
      const histograms = all(one(metric, 9), 1).map((point) => ({
        metric: name,
        facts: factsOf(all(point, 9)),
        value: Number(one(point, 4).readBigUInt64LE()),
      }));
      return [...gauges, ...histograms];
    });
