import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Reading } from '#/platform/tracing/tracing.ts';

/** Milliseconds between two samples of the event loop. */
const resolution = 20;
const quantiles = [50, 90, 99] as const;
const [nanoseconds, microseconds] = [1e9, 1e6];

/** Units of the gauges that {@link createProcessMetrics} reads. */
export const processUnits = {
  'process.memory.usage': 'By',
  'nodejs.heap.used': 'By',
  'nodejs.eventloop.utilization': '1',
  'nodejs.eventloop.delay': 's',
} as const;

/** Memory, processor and event loop of this process, since its last reading. Each reader has its own. */
export function createProcessMetrics() {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();

  function read() {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { utilization } = performance.eventLoopUtilization();
    // The histogram includes the timer's own interval.
    const seconds = (value: number): number => Math.max(0, value / nanoseconds - resolution / 1000);
    const late = [
      ...quantiles.map((quantile) => ({ quantile: quantile / 100, seconds: seconds(delay.percentile(quantile)) })),
      { quantile: 1, seconds: seconds(delay.max) },
    ];
    delay.reset();
    return { rss, heapUsed, external, utilization, late };
  }

  return {
    /** In Prometheus's text format. */
    lines(): string[] {
      const { user, system } = process.cpuUsage();
      const { rss, heapUsed, external, utilization, late } = read();
      return [
        '# HELP process_resident_memory_bytes Resident memory.',
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${rss}`,
        '# HELP nodejs_heap_used_bytes Used memory of the JavaScript heap.',
        '# TYPE nodejs_heap_used_bytes gauge',
        `nodejs_heap_used_bytes ${heapUsed}`,
        '# HELP nodejs_external_memory_bytes Memory of objects outside the heap, such as buffers.',
        '# TYPE nodejs_external_memory_bytes gauge',
        `nodejs_external_memory_bytes ${external}`,
        '# HELP process_cpu_seconds_total Time of the processor.',
        '# TYPE process_cpu_seconds_total counter',
        `process_cpu_seconds_total ${(user + system) / microseconds}`,
        '# HELP process_uptime_seconds Time since the start.',
        '# TYPE process_uptime_seconds gauge',
        `process_uptime_seconds ${process.uptime()}`,
        '# HELP nodejs_eventloop_utilization Share of the time since the start in which the event loop was busy.',
        '# TYPE nodejs_eventloop_utilization gauge',
        `nodejs_eventloop_utilization ${utilization}`,
        '# HELP nodejs_eventloop_delay_seconds How late timers were since the metrics were read the last time.',
        '# TYPE nodejs_eventloop_delay_seconds summary',
        ...late.map((one) => `nodejs_eventloop_delay_seconds{quantile="${one.quantile}"} ${one.seconds}`),
      ];
    },

    /** The values that change, as gauges. */
    async readings(): Promise<Reading<keyof typeof processUnits>[]> {
      const { rss, heapUsed, utilization, late } = read();
      return [
        { name: 'process.memory.usage', value: rss },
        { name: 'nodejs.heap.used', value: heapUsed },
        { name: 'nodejs.eventloop.utilization', value: utilization },
        ...late.map((one) => ({ name: 'nodejs.eventloop.delay' as const, value: one.seconds, facts: { quantile: one.quantile } })),
      ];
    },

    close: (): void => void delay.disable(),
  };
}
