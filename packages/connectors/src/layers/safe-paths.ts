import type { Entry, Found } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { isPath, isSegment, isTemporary } from '../core/segment.ts';
import type { Answer, Batches, Layer, LayerCall } from './layered.ts';

/**
 * Refuses paths and new names that are not made of plain segments with `badName`, and removes entries whose names are none from what a source lists.
 * Half a surrogate pair is refused too: it has no UTF-8 form (Unicode Standard, section 3.9) and would be written as U+FFFD, the name of another item.
 * The temporary files of uploads, which have a reserved name, are removed too: from listings, search results and changes.
 * Scopes such as shares and Spaces rely on this layer.
 */
export function safePaths(): Layer {
  return async (call, next) => {
    if (!isSafe(call)) throw new ConnectorError('badName', 'a name in the path is no single path segment');
    return withSafeNames(await next(call.signal));
  };
}

const isSafe = ({ operation, path, target, files = [] }: LayerCall): boolean =>
  isPath(path) && files.every(isPath) && (target === undefined || (operation === 'rename' ? isSegment(target) : isPath(target)));

/** Half a surrogate pair stays in the listing, so that its owner sees the item, although it cannot be asked for. */
const isListed = (name: string): boolean => !isTemporary(name) && (isSegment(name) || isSegment(name.toWellFormed()));

function withSafeNames(answer: Answer): Answer {
  switch (answer.shape) {
    case 'batches':
      return { shape: 'batches', batches: filtered<Entry>(answer.batches, ({ name }) => isListed(name)) };
    case 'finds':
      return {
        shape: 'finds',
        batches: filtered<Found>(answer.batches, ({ path, entry }) => isPath(path) && !isTemporary(path) && isListed(entry.name)),
      };
    case 'changes': {
      const { changes } = answer;
      return { shape: 'changes', changes: { ...changes, items: changes.items.filter(({ path }) => isPath(path) && !isTemporary(path)) } };
    }
    case 'body':
    case 'entry':
    case 'usage':
    case 'upload':
    case 'receipt':
    case 'state':
    case 'finished':
    case 'located':
    case 'nothing':
      return answer;
  }
}

const filtered = <Row>(batches: Batches<Row>, isKept: (row: Row) => boolean): Batches<Row> => ({
  async next() {
    const batch = await batches.next();
    return batch === undefined || batch.every(isKept) ? batch : batch.filter(isKept);
  },
  close: () => batches.close(),
});
