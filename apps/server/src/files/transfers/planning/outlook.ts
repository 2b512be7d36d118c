import { AppError, type ReplyOf, type transferPlan } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import type { TransferRow } from '../rows/store.ts';
import { roomOf, unasked } from './room.ts';
import type { Speeds } from './speeds.ts';

interface Deps {
  readonly links: Links;
  readonly speeds: Speeds;
}

/** Room at the destination, and how long a planned transfer takes, as far as known; without what cannot be asked now. */
export async function outlookOf(
  { links, speeds }: Deps,
  transfer: TransferRow,
  { bytesTotal: bytes, itemsTotal: items }: Pick<TransferRow, 'bytesTotal' | 'itemsTotal'>,
  signal: AbortSignal,
): Promise<Pick<ReplyOf<typeof transferPlan>, 'freeBytes' | 'estimateSeconds' | 'days'>> {
  try {
    const { freeBytes, dayBytes } = await roomOf(links, transfer, signal);
    const estimateSeconds = await speeds.estimate(transfer, { bytes, items });
    const days = dayBytes === undefined ? 1 : Math.ceil(bytes / dayBytes);
    return {
      ...(freeBytes !== undefined && { freeBytes }),
      ...(estimateSeconds !== undefined && { estimateSeconds }),
      ...(days > 1 && { days }),
    };
  } catch (error) {
    // A link that was removed, or is out of reach: the plan is worth showing all the same.
    if (error instanceof AppError && [...unasked, 'INVALID_LINK_URI'].includes(error.messageCode)) return {};
    throw error;
  }
}
