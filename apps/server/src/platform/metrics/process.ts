import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two looks at the event loop. */
const resolution = 20;
const quantiles = [50, 90, 99] as const;
const [nanoseconds, microseconds] = [1e9, 1e6];

/** Memory, processor and event loop of this process, in Prometheus's text format. */
export function createProcessMetrics() {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return {
    lines(): string[] {
      const { rss, heapUsed, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const { utilization } = performance.eventLoopUtilization();
      // The histogram holds the timer's own interval, too.
      const seconds = (value: number): number => Math.max(0, value / nanoseconds - resolution / 1000);
      const lines = [
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${rss}`,
        '# TYPE nodejs_heap_used_bytes gauge',
        `nodejs_heap_used_bytes ${heapUsed}`,
        '# TYPE nodejs_external_memory_bytes gauge',
        `nodejs_external_memory_bytes ${external}`,
        '# TYPE process_cpu_seconds_total counter',
        `process_cpu_seconds_total ${(user + system) / microseconds}`,
        '# TYPE process_uptime_seconds gauge',
        `process_uptime_seconds ${process.uptime()}`,
        '# HELP nodejs_eventloop_utilization Share of the time since the start in which the event loop was busy.',
        '# TYPE nodejs_eventloop_utilization gauge',
        `nodejs_eventloop_utilization ${utilization}`,
        '# HELP nodejs_eventloop_delay_seconds How late timers were since the metrics were read the last time.',
        '# TYPE nodejs_eventloop_delay_seconds gauge',
        ...quantiles.map(
          (quantile) => `nodejs_eventloop_delay_seconds{quantile="${quantile / 100}"} ${seconds(delay.percentile(quantile))}`,
        ),
        `nodejs_eventloop_delay_seconds{quantile="1"} ${seconds(delay.max)}`,
      ];
      delay.reset();
      return lines;
    },
    close: (): void => void delay.disable(),
  };
}
