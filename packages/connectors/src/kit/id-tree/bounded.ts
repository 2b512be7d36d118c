import { ConnectorError } from '../../core/error.ts';

/** Most items of one folder: far more than any provider allows, and what memory can hold. */
const mostItems = 1_000_000;

/** The same batches; throws `tooLarge` after `most` items. For listings that are gathered in memory: a hostile or broken provider's pages may never end. */
export async function* bounded<Row>(batches: AsyncIterable<readonly Row[]>, most: number = mostItems): AsyncGenerator<readonly Row[]> {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    if (count > most) throw new ConnectorError('tooLarge', `the folder has more than ${most} items`);
    yield batch;
  }
}
