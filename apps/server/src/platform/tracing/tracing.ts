import type { Logger } from 'pino';
import type { Config } from '#/platform/config/config.ts';

/** Facts of a span. Never a path, a name that somebody chose, an address with its query, a person or the message of an error: they leave the installation. */
export type Facts = Readonly<Record<string, string | number>>;

/** What spans are of; the durations of each are a metric, too. */
export type Subject = 'request' | 'source' | 'job';

export interface Beginning {
  readonly subject: Subject;
  /** One of few: what collectors group by. */
  readonly name: string;
  /** Facts with few values, which the metric has, too. */
  readonly facts: Facts;
  /** Facts of this span alone, such as ids. */
  readonly own?: Facts;
  /** Begins a trace of its own, whatever work happened to start it. */
  readonly isRoot?: boolean;
  /** Header `traceparent` of a caller that is believed (https://www.w3.org/TR/trace-context/). */
  readonly traceparent?: string;
}

export interface Ending {
  /** As those of the beginning. */
  readonly facts: Facts;
  readonly own?: Facts;
  readonly hasFailed: boolean;
}

/** Work under way. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Calls `work`; spans that begin in it, or in what it starts, are children of this one. */
  within<T>(work: () => T): T;
  /** The first call counts. */
  end(ending: Ending): void;
}

/** One value of a gauge. */
export interface Reading<Name extends string = string> {
  readonly name: Name;
  readonly value: number;
  readonly facts?: Facts;
}

/** Traces and metrics for a collector. Nothing waits for it, and nothing fails with it. */
export interface Tracing {
  begin(beginning: Beginning): Span;
  /** Sends these gauges, given with their units, at every interval; `read` is asked for their values. */
  gauges<Name extends string>(units: Readonly<Record<Name, string>>, read: () => Promise<readonly Reading<Name>[]>): void;
  /** Sends what has ended; takes at most a second. */
  close(): Promise<void>;
}

/** Tracing as the settings want it: undefined when it is off, and then its libraries are not loaded. */
export async function openTracing(config: Pick<Config, 'otlpUrl' | 'otlpHeaders'>, log: Logger): Promise<Tracing | undefined> {
  if (config.otlpUrl === '') return undefined;
  const { createOtlp } = await import('./otlp.ts');
  return createOtlp({ url: config.otlpUrl, headers: config.otlpHeaders, log });
}
