import type { Entry } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { keptPathOf, nameOf, partialPathOf } from './path.ts';

interface Ways {
  /** Renames within the folder. */
  readonly rename: (from: string, to: string, signal: AbortSignal) => Promise<Entry>;
  /** Like `rename`, on the way back: may repeat what is safe to do twice. */
  readonly putBack?: (from: string, to: string, signal: AbortSignal) => Promise<Entry>;
  /** Looks up an item that has left its temporary name: a lost answer may have hidden that it has its new one. */
  readonly find?: (path: string, signal: AbortSignal) => Promise<Entry>;
}

/**
 * Gives an item a name that its source takes for the same as its present one, by way of another name, and back on failure. The other name shows in
 * listings, should the item have to keep it; then rejects with `interrupted`.
 */
export async function recase(from: string, to: string, { rename, putBack = rename, find }: Ways, signal: AbortSignal): Promise<Entry> {
  const between = keptPathOf(partialPathOf(from));
  try {
    await rename(from, between, signal);
    return await rename(between, to, signal);
  } catch (error) {
    const aside = AbortSignal.timeout(deadlines.aside);
    const there = await returned(aside, error);
    if (there?.name === nameOf(to)) return there;
    throw error;
  }

  /** Not finding it at the other name says that it never left, or has arrived and only the answer was lost. */
  async function returned(aside: AbortSignal, reason: unknown): Promise<Entry | undefined> {
    try {
      return await putBack(between, from, aside);
    } catch (error) {
      if (isKind(error, 'notFound')) return find?.(from, aside);
      const cause = new AggregateError([reason, error]);
      throw new ConnectorError('interrupted', 'an item was to change its name and has not got its own back', { cause });
    }
  }
}
