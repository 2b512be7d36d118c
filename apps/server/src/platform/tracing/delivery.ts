import type { Logger } from 'pino';

/** What an exporter of the SDK tells of a message: 0 for success. */
interface Result {
  readonly code: number;
  readonly error?: Error;
}
interface Exporter<Items> {
  export(items: Items, done: (result: Result) => void): void;
}

/** Milliseconds between two lines of the log about a collector that takes nothing. */
const tellEvery = 600_000;

/** Watches what becomes of messages to the collector: the log has a line for the first that fails, then one in ten minutes, and one when it works again. */
export function createDelivery(log: Logger, clock: () => number = () => performance.now()) {
  return {
    /** The same exporter, watched. */
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
