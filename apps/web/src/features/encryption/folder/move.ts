import { type CopyKind, copyObjects, moveObjects, oneTransfer } from '@sheaf/contract';
import { WordedError } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { queryClient } from '#/lib/query-client.ts';
import { pageTransfers } from '#/lib/transfers/page-transfers.ts';
import { touchVault } from '../crypt/state.ts';
import { recordOf } from './changes.ts';
import { type ClearFolder, type ClearItem, clearFolder } from './listing.ts';
import type { Place } from './own-parts.ts';
import { record } from './record.ts';

const calls = { copy: copyObjects, move: moveObjects } as const;
const pollEvery = 500;

interface Order {
  readonly kind: CopyKind;
  readonly items: readonly ClearItem[];
  readonly from: Place;
  readonly folder: ClearFolder;
  readonly to: Place;
}

/**
 * Copies or moves items within a vault. The storage does it, with the encrypted files as they are. Resolves when it is done and recorded. Rejects with a
 * WordedError if a name is taken, before anything is moved.
 */
export async function moveWithin({ kind, items, from, folder, to }: Order): Promise<void> {
  const target = await queryClient.fetchQuery({ ...clearFolder(to.vaultId, to.rootUri, to.linkUri), staleTime: 0 });
  const taken = items.find(({ name }) => target.items.some((there) => there.name === name));
  if (taken) throw new WordedError(`"${taken.name}" is in that folder already. Please rename one of the two.`);
  const { transferId } = await send(calls[kind], {
    linkUri: items.map(({ item }) => item.linkUri),
    parentLinkUri: to.linkUri,
    conflict: 'fail',
  });
  await pageTransfers.track(transferId);
  for (;;) {
    const { state, itemsFailed, problems } = await send(oneTransfer, { transferId });
    touchVault(from.vaultId);
    if (state === 'done' && itemsFailed === 0 && problems === 0) break;
    if (['done', 'failed', 'canceled', 'planned', 'paused'].includes(state))
      throw new WordedError('Not everything could be moved. The list of transfers says why, with encrypted names.');
    await new Promise((resolve) => setTimeout(resolve, pollEvery));
  }
  const names = items.map(({ name }) => name);
  const { queryKey } = clearFolder(to.vaultId, to.rootUri, to.linkUri);
  await queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  record(
    to,
    names.flatMap((name) => recordOf(folder, name)),
  );
  if (kind === 'move')
    record(
      from,
      names.map((name) => ({ name })),
    );
}
