import { createHash, timingSafeEqual } from 'node:crypto';
import { appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeOf } from '#/platform/http/call-table.ts';
import { createProcessMetrics } from '#/platform/metrics/process.ts';

/** Upper bounds in seconds. */
const buckets = [0.005, 0.02, 0.1, 0.5, 2, 10] as const;

interface Series {
  count: number;
  seconds: number;
  readonly within: number[];
}

/** Permission to read the metrics. */
export interface MetricsReaders {
  /** Bearer token for reading; empty: no token works. */
  readonly token: string;
  /** Whether requests from loopback addresses may read. Never behind a proxy, where every request may come from one. */
  readonly loopback: boolean;
}

function mayRead({ headers, raw }: FastifyRequest, { token, loopback }: MetricsReaders): boolean {
  const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token !== '' && timingSafeEqual(sha256(given), sha256(token))) return true;
  return loopback && /^(127\.|::1$|::ffff:127\.)/.test(raw.socket.remoteAddress ?? '');
}

/** Digests of equal length, so that the comparison does not reveal the token's length. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Counts requests by method, route and status and serves `/metrics` in Prometheus's text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/), with the process's own and further lines. Routes are patterns, never addresses, which may hold names and tokens.
 */
export function metricsRoutes(app: FastifyInstance, readers: MetricsReaders, further: () => Promise<string[]>): void {
  const process = createProcessMetrics();
  app.addHook('onClose', async () => process.close());
  const requests = new Map<string, Series>();
  app.addHook('onResponse', (request, reply, done) => {
    const labels = `method="${request.method}",route="${routeOf(request) ?? 'none'}",status="${reply.statusCode}"`;
    const series = requests.get(labels) ?? { count: 0, seconds: 0, within: buckets.map(() => 0) };
    const seconds = reply.elapsedTime / 1000;
    series.count += 1;
    series.seconds += seconds;
    for (const [index, bound] of buckets.entries()) if (seconds <= bound) series.within[index] = (series.within[index] ?? 0) + 1;
    requests.set(labels, series);
    done();
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, readers)) throw appError('NOT_FOUND', {});
    return reply
      .type('text/plain; version=0.0.4')
      .send([...process.lines(), ...requestLines(requests), ...(await further()), ''].join('\n'));
  });
}

function requestLines(requests: ReadonlyMap<string, Series>): string[] {
  const name = 'sheaf_http_request_seconds';
  const lines = [...requests].flatMap(([labels, { count, seconds, within }]) => [
    ...buckets.map((bound, index) => `${name}_bucket{${labels},le="${bound}"} ${within[index] ?? 0}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${count}`,
  ]);
  return [`# HELP ${name} Time of requests by method, route and status.`, `# TYPE ${name} histogram`, ...lines];
}
