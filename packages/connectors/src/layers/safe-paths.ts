import type { Entry, Found } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { isBinName, isPath, isSegment, isTemporary, leadsToBin } from '../core/segment.ts';
import type { Answer, Batches, Layer, LayerCall } from './layered.ts';

/**
 * Rejects paths and new names that do not consist of plain segments with `badName`, and removes entries with such names from listings.
 * Rejects half a surrogate pair as well: it has no UTF-8 form (Unicode Standard, section 3.9) and would be written as U+FFFD, the name of
 * another item. Also removes the temporary files of uploads, which have a reserved name, from listings, search results and changes, and
 * hides the bin of deleted items, which no path reaches. Scopes such as shares and Spaces rely on this layer.
 */
export function safePaths(): Layer {
  return async (call, next) => {
    if (!isSafe(call)) throw new ConnectorError('badName', 'a name in the path is no single path segment');
    refuseBin(call);
    return withSafeNames(await next(call.signal));
  };
}

const isSafe = ({ operation, path, target, files = [] }: LayerCall): boolean =>
  isPath(path) && files.every(isPath) && (target === undefined || (operation === 'rename' ? isSegment(target) : isPath(target)));

/** Only the methods of the bin reach items in the hidden bin; they address them by id. */
function refuseBin({ path, target, files = [] }: LayerCall): void {
  if (leadsToBin(path) || files.some(leadsToBin)) throw new ConnectorError('notFound', 'no item of that name');
  if (target !== undefined && leadsToBin(target)) throw new ConnectorError('badName', 'the name is reserved');
}

/** Half a surrogate pair stays in the listing, so that its owner sees the item, although it cannot be requested. */
const isListed = (name: string): boolean => !isTemporary(name) && !isBinName(name) && (isSegment(name) || isSegment(name.toWellFormed()));

const isShown = (path: string): boolean => isPath(path) && !isTemporary(path) && !leadsToBin(path);

function withSafeNames(answer: Answer): Answer {
  switch (answer.shape) {
    case 'batches':
      return { shape: 'batches', batches: filtered<Entry>(answer.batches, ({ name }) => isListed(name)) };
    case 'finds':
      return {
        shape: 'finds',
        batches: filtered<Found>(answer.batches, ({ path, entry }) => isShown(path) && isListed(entry.name)),
      };
    case 'changes': {
      const { changes } = answer;
      return { shape: 'changes', changes: { ...changes, items: changes.items.filter(({ path }) => isShown(path)) } };
    }
    case 'body':
    case 'entry':
    case 'usage':
    case 'upload':
    case 'numbered':
    case 'receipt':
    case 'state':
    case 'finished':
    case 'located':
    case 'bin':
    case 'version':
    case 'versions':
    case 'fact':
    case 'hashes':
    case 'subscription':
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
