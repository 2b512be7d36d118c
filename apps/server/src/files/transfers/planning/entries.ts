import type { Entry } from '@sheaf/connectors';
import type { TransferKind } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';

/** Whether a plan may use stored listings: only where an item that is not in them is missed, and nothing is deleted for it. */
export const plansFromStore: Readonly<Record<TransferKind, boolean>> = { copy: true, move: true, mirror: false };

/** Age in ms up to which a plan takes a stored listing for the folder. The run compares it with the source before the transfer ends. */
const trustedFor = 600_000;

/** A folder's entries, and whether they come from a stored listing. */
export interface Entries {
  readonly batches: AsyncIterable<readonly Entry[]>;
  readonly isStored: boolean;
}

/**
 * The entries of a folder of the item's link. Stored ones are used where they are fresh, unless the source has symbolic links: these must not be
 * followed, and a stored listing does not tell them.
 */
export async function entriesOf(
  listings: Pick<Listings, 'storedSince'>,
  { connector, userLinkId }: Pick<OpenItem, 'connector' | 'userLinkId'>,
  path: string,
  { signal, now, mayBeStored }: { readonly signal: AbortSignal; readonly now: number; readonly mayBeStored: boolean },
): Promise<Entries> {
  const stored = mayBeStored && !connector.lstat ? await listings.storedSince(userLinkId, path, now - trustedFor) : undefined;
  return stored ? { batches: stored, isStored: true } : { batches: connector.list(path, { signal }), isStored: false };
}
