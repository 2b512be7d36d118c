import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import type { AutodeskItem } from './api.ts';
import type { AutodeskMaker } from './making.ts';

/**
 * Moves a file to another folder. The API has no such call: the newest version is stored as a file in the new folder, then the old file is
 * deleted. When the deletion is refused, the new file is deleted again, unless it may be the only copy left.
 */
export async function moveFile(
  maker: AutodeskMaker,
  item: AutodeskItem,
  parent: AutodeskItem,
  name: string,
  ask: CallOptions,
): Promise<AutodeskItem> {
  const { signal } = ask;
  const made = await maker.copyFile(item, parent, name, ask);
  try {
    const { version } = (await retryWhileBusy(signal, () => maker.current(item, ask))).facts;
    if (version !== item.facts.version) throw new ConnectorError('forbidden', 'somebody has stored another version meanwhile');
    await retryWhileBusy(signal, () => maker.remove(item, ask));
  } catch (error) {
    const isGone = isKind(error, 'notFound') || (isOutcomeUnknown(error) && (await hasGone(maker, item, error)));
    return isGone ? made : maker.undone(made, error);
  }
  return made;
}

async function hasGone(maker: AutodeskMaker, item: AutodeskItem, reason: unknown): Promise<boolean> {
  const look = { signal: AbortSignal.timeout(deadlines.aside) };
  try {
    await retryWhileBusy(look.signal, () => maker.current(item, look), isOutcomeUnknown);
    return false;
  } catch (error) {
    if (isKind(error, 'notFound')) return true;
    const cause = new AggregateError([reason, error]);
    throw new ConnectorError('interrupted', 'a file was copied, and nobody can tell whether the old one is deleted', { cause });
  }
}
