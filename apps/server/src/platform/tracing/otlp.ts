import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { version } from '#/platform/version.ts';
import { createDelivery } from './delivery.ts';
import { remoteOf } from './traceparent.ts';
import type { Subject, Tracing } from './tracing.ts';

interface Options {
  /** Base of the collector's addresses, without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Milliseconds between two messages, of spans and of metrics. */
  readonly spansEvery?: number;
  readonly metricsEvery?: number;
  /** Timeout of one message in milliseconds, retries included; then its content is dropped. */
  readonly sendFor?: number;
}

/** Milliseconds at the end of the process for sending the rest. */
const flushFor = 1000;
/** Most ended spans that wait for the collector, some 2 MiB; further ones are dropped. */
const mostWaiting = 2048;

/** The histogram of each subject's durations, and its kind of span. Bounds are those of /metrics, and longer ones for jobs. */
const subjects: Readonly<Record<Subject, { readonly metric: string; readonly about: string; readonly kind: SpanKind }>> = {
  request: { metric: 'http.server.request.duration', about: 'Duration of HTTP requests.', kind: SpanKind.SERVER },
  source: {
    metric: 'sheaf.source.call.duration',
    about: 'Calls to linked sources, waiting and further tries included.',
    kind: SpanKind.CLIENT,
  },
  job: { metric: 'sheaf.job.run.duration', about: 'Runs of background jobs.', kind: SpanKind.INTERNAL },
};
const bounds = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

/**
 * Tracing by the official SDK, sent as OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Registers nothing for the whole process, so
 * that no other library finds and uses it: the work under way is in a store of its own.
 */
export function createOtlp({ url, headers, log, spansEvery = 5000, metricsEvery = 60_000, sendFor = 10_000 }: Options): Tracing {
  const resource = resourceFromAttributes({
    'service.name': 'sheaf',
    'service.version': version,
    'service.instance.id': randomUUID(),
  });
  const { watched } = createDelivery(log);
  const to = (path: string) => ({ url: `${url}/v1/${path}`, headers: { ...headers }, timeoutMillis: sendFor });
  const spans = new TracerProvider({
    resource,
    // The collector decides which traces to keep, as it sees how they ended; callers must not decide by their flags.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched('traces', new OTLPTraceExporter(to('traces'))),
        scheduledDelayMillis: spansEvery,
        exportTimeoutMillis: sendFor,
        maxQueueSize: mostWaiting,
      }),
    ],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: watched('metrics', new OTLPMetricExporter(to('metrics'))),
    exportIntervalMillis: metricsEvery,
    exportTimeoutMillis: Math.min(sendFor, metricsEvery),
  });
  const metrics = new MeterProvider({ resource, readers: [reader] });
  const tracer = spans.getTracer('sheaf', version);
  const meter = metrics.getMeter('sheaf', version);
  const durationOf = (subject: Subject) => {
    const { metric, about } = subjects[subject];
    return meter.createHistogram(metric, { unit: 's', description: about, advice: { explicitBucketBoundaries: bounds } });
  };
  const durations = { request: durationOf('request'), source: durationOf('source'), job: durationOf('job') };
  const current = new AsyncLocalStorage<Context>();

  return {
    begin({ subject, name, facts, own, isRoot = false, traceparent }) {
      const remote = traceparent === undefined ? undefined : remoteOf(traceparent);
      const around = isRoot ? ROOT_CONTEXT : (current.getStore() ?? ROOT_CONTEXT);
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : around;
      const span = tracer.startSpan(name, { kind: subjects[subject].kind, attributes: { ...facts, ...own } }, parent);
      const context = trace.setSpan(ROOT_CONTEXT, span);
      const begun = performance.now();
      let isOver = false;
      return {
        traceId: span.spanContext().traceId,
        within: (work) => current.run(context, work),
        end(ending) {
          if (isOver) return;
          isOver = true;
          span.setAttributes({ ...ending.facts, ...ending.own });
          if (ending.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
          durations[subject].record((performance.now() - begun) / 1000, { ...facts, ...ending.facts }, ROOT_CONTEXT);
        },
      };
    },

    gauges(units, read) {
      const gauges = new Map(Object.entries<string>(units).map(([name, unit]) => [name, meter.createObservableGauge(name, { unit })]));
      meter.addBatchObservableCallback(
        async (results) => {
          for (const { name, value, facts = {} } of await read()) {
            const gauge = gauges.get(name);
            if (gauge) results.observe(gauge, value, facts);
          }
        },
        [...gauges.values()],
      );
    },

    async close() {
      await Promise.race([Promise.allSettled([spans.shutdown(), metrics.shutdown()]), sleep(flushFor, undefined, { ref: false })]);
    },
  };
}
