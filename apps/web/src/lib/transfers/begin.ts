import { type TransferConflictRule, type CopyKind, type VerifyRule, copyObjects, limits, moveObjects } from '@sheaf/contract';
import { WordedError } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { pageTransfers } from './page-transfers.ts';

/** What goes where. */
export interface TransferOrder {
  readonly kind: CopyKind;
  readonly linkUris: readonly string[];
  readonly parentLinkUri: string;
  /** What to do with taken names; by default the user is asked. */
  readonly conflict?: TransferConflictRule;
  readonly options?: RunOptions;
}

/** How a transfer runs. */
export interface RunOptions {
  readonly verify?: VerifyRule;
  readonly bytesPerSecond?: number;
}

const calls = { copy: copyObjects, move: moveObjects } as const;

/** Refuses more items than one transfer takes. */
export function checkCount(linkUris: readonly string[]): void {
  if (linkUris.length > limits.transferSources)
    throw new WordedError(`One transfer takes ${limits.transferSources} items at most. Choose their folder instead.`);
}

/** Copies or moves items; returns the transfer's id. From then on the page shows it, and asks about taken names. */
export async function beginTransfer({ kind, linkUris, parentLinkUri, conflict = 'fail', options = {} }: TransferOrder): Promise<string> {
  checkCount(linkUris);
  const { transferId } = await send(calls[kind], { linkUri: [...linkUris], parentLinkUri, conflict, ...options });
  await pageTransfers.track(transferId);
  return transferId;
}
