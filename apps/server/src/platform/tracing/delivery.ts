import type { Logger } from 'pino';

/** The SDK's result of exporting a message: 0 for success. */
interface Result {
  readonly code: number;
  readonly error?: Error;
}
interface Exporter<Items> {
  export(items: Items, done: (result: Result) => void): void;
}

/** Milliseconds between two log lines about a collector that accepts nothing. */
const tellEvery = 600_000;

/** Logs failures of the collector: the first one, then one line in ten minutes, and a line when it works again. */
export function createDelivery(log: Logger, clock: () => number = () => performance.now()) {
  return {
    /** Wraps an exporter, so that its failures are logged. */
    watched<Items, E extends Exporter<Items>>(what: 'traces' | 'metrics', exporter: E & Exporter<Items>): E {
      const send = exporter.export.bind(exporter);
      let failed = 0;
      let toldAt = -Infinity;
      const note = ({ code, error }: Result): void => {
        if (code === 0) {
          if (toldAt !== -Infinity) log.info({ what }, 'the OTLP collector takes messages again');
          [failed, toldAt] = [0, -Infinity];
          return;
        }
        failed += 1;
        if (clock() - toldAt < tellEvery) return;
        toldAt = clock();
        log.warn({ what, failed, err: error }, 'the OTLP collector does not take messages; they are dropped');
      };
      exporter.export = (items, done) =>
        send(items, (result) => {
          note(result);
          done(result);
        });
      return exporter;
    },
  };
}
