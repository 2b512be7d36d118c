import type { Entry, Found } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import type { Answer, Batches, Layer } from './layered.ts';

interface Bounds {
  readonly entries?: number;
  /** Approximate memory of the rows, in bytes. */
  readonly bytes?: number;
  /** Maximum time in ms from the beginning to the last batch. */
  readonly time?: number;
}

/** Approximate bytes of a row without its strings. */
const rowBytes = 100;

/** Approximate bytes of an entry. */
export const bytesOf = ({ name, etag = '', mimeType = '' }: Pick<Entry, 'name' | 'etag' | 'mimeType'>): number =>
  rowBytes + name.length + etag.length + mimeType.length;

/** Ends listings and searches that exceed a bound: those of a hostile or broken server may never end by themselves. */
export function bounds({ entries = 2_000_000, bytes = 256 * 1024 * 1024, time = 15 * 60_000 }: Bounds = {}): Layer {
  const bounded = <Row>(batches: Batches<Row>, sizeOf: (row: Row) => number): Batches<Row> => {
    const until = performance.now() + time;
    let count = 0;
    let size = 0;
    const check = (batch: readonly Row[]): void => {
      count += batch.length;
      for (const row of batch) size += sizeOf(row);
      if (count > entries) throw new ConnectorError('tooLarge', `the listing has more than ${entries} entries`);
      if (size > bytes) throw new ConnectorError('tooLarge', `the listing takes more than ${bytes} bytes`);
      if (performance.now() > until) throw new ConnectorError('timeout', `the listing has not ended within ${time} ms`);
    };
    return {
      async next() {
        const batch = await batches.next();
        if (!batch) return undefined;
        try {
          check(batch);
        } catch (error) {
          await batches.close();
          throw error;
        }
        return batch;
      },
      close: () => batches.close(),
    };
  };
  return async ({ signal }, next): Promise<Answer> => {
    const answer = await next(signal);
    if (answer.shape === 'batches') return { shape: 'batches', batches: bounded(answer.batches, bytesOf) };
    if (answer.shape === 'finds') return { shape: 'finds', batches: bounded(answer.batches, (found: Found) => bytesOf(found.entry)) };
    return answer;
  };
}
