import type { Entry } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { keptPathOf, nameOf, partialPathOf } from './path.ts';

interface Ways {
  /** Renames within the folder. */
  readonly rename: (from: string, to: string, signal: AbortSignal) => Promise<Entry>;
  /** Like `rename`, for the way back: may retry where the rename is idempotent. */
  readonly putBack?: (from: string, to: string, signal: AbortSignal) => Promise<Entry>;
  /** Looks up an item that is no longer under its temporary name: it may have its new name although the response was lost. */
  readonly find?: (path: string, signal: AbortSignal) => Promise<Entry>;
}

/**
 * Gives an item a name that its source considers equal to its present one, by way of a temporary name; renames it back on failure. Listings
 * show the temporary name, in case the item has to keep it; then rejects with `interrupted`.
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

  /**
   * If the item is not under the temporary name, the first rename has not happened, or the second one has and only its response was lost.
   */
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
