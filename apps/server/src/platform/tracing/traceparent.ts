import { type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Version, id of the trace, id of the span, flags; later versions may add more. Ids of zeros alone are none. */
const form = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/;

/**
 * The span that a header `traceparent` names (https://www.w3.org/TR/trace-context/#traceparent-header); undefined when it is malformed. Its flags and
 * `tracestate` are not taken: they would let the caller switch tracing off, and send text of its own to the collector.
 */
export function remoteOf(header: string): SpanContext | undefined {
  const [, traceId, spanId] = form.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
