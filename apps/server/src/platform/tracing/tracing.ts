import type { Logger } from 'pino';
import type { Config } from '#/platform/config/config.ts';

/** Facts of a span. Never a path, a name that somebody chose, an address with its query, a person or the message of an error: they leave the installation. */
export type Facts = Readonly<Record<string, string | number>>;

/** The kinds of spans; the durations of each kind are a metric, too. */
export type Subject = 'request' | 'source' | 'job';

export interface Beginning {
  readonly subject: Subject;
  /** One of few names, by which collectors group spans. */
  readonly name: string;
  /** Facts with few values, which the metric has, too. */
  readonly facts: Facts;
  /** Facts of this span alone, such as ids. */
  readonly own?: Facts;
  /** Begins a trace of its own, whatever work happened to start it. */
  readonly isRoot?: boolean;
  /** Header `traceparent` of a trusted caller (https://www.w3.org/TR/trace-context/). */
  readonly traceparent?: string;
}

export interface Ending {
  /** Further facts with few values, known at the end. */
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
  /** Ends the span; later calls do nothing. */
  end(ending: Ending): void;
}

/** One value of a gauge. */
export interface Reading<Name extends string = string> {
  readonly name: Name;
  readonly value: number;
  readonly facts?: Facts;
}

/** Traces and metrics for a collector. No work waits for it or fails because of it. */
export interface Tracing {
  begin(beginning: Beginning): Span;
  /** Sends these gauges, given with their units, at every interval; `read` is asked for their values. */
  gauges<Name extends string>(units: Readonly<Record<Name, string>>, read: () => Promise<readonly Reading<Name>[]>): void;
  /** Sends the spans that have ended; takes at most a second. */
  close(): Promise<void>;
}

/** Opens tracing by the settings; undefined, without loading its libraries, when it is off. */
export async function openTracing(config: Pick<Config, 'otlpUrl' | 'otlpHeaders'>, log: Logger): Promise<Tracing | undefined> {
  if (config.otlpUrl === '') return undefined;
  const { createOtlp } = await import('./otlp.ts');
  return createOtlp({ url: config.otlpUrl, headers: config.otlpHeaders, log });
}
