import { ConnectorError } from '../../core/error.ts';

/** Maximum number of items in one folder: far more than any provider allows, and as many as memory can hold. */
const mostItems = 1_000_000;

/**
 * Passes on the batches; throws `tooLarge` after `most` items. For listings that are collected in memory: the pages of a hostile or broken
 * provider may never end.
 */
export async function* bounded<Row>(batches: AsyncIterable<readonly Row[]>, most: number = mostItems): AsyncGenerator<readonly Row[]> {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    if (count > most) throw new ConnectorError('tooLarge', `the folder has more than ${most} items`);
    yield batch;
  }
}
