import type { Usage } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { type Links, type OpenItem, openItem, storedAt } from '#/files/items/open-item.ts';
import { sourcesOf, targetOf } from '../rows/ends.ts';
import type { TransferRow } from '../rows/store.ts';

/** What the destination of a transfer has room for. */
export interface Room {
  /** Bytes available; absent when it does not tell. */
  readonly freeBytes?: number;
  /** Most bytes in 24 hours; absent without such a limit. */
  readonly dayBytes?: number;
  /** Whether the bytes stay where they are: a move within one link takes no room. */
  readonly staysThere: boolean;
  /** The destination's title, for errors. */
  readonly provider: string;
}

/** Failures to ask an end, without whose answer a plan is worth showing. */
export const unasked: readonly AppError['messageCode'][] = [
  'SOURCE_CANNOT',
  'SOURCE_FORBIDS',
  'SOURCE_TIMEOUT',
  'SOURCE_CONFUSED',
  'CANNOT_CONNECT',
  'SOURCE_BUSY',
  'LINK_BUSY',
];

/** Asks the destination of a transfer for its room. */
export async function roomOf(links: Links, transfer: TransferRow, signal: AbortSignal): Promise<Room> {
  const to = await openItem(links, transfer.accountId, targetOf(transfer).linkUri);
  const from = await Promise.all(sourcesOf(transfer).map(({ linkUri }) => openItem(links, transfer.accountId, linkUri)));
  const { linkId } = storedAt(to, '/');
  const { dayBytes } = to.connector.limits ?? {};
  const usage = await usageOf(to, signal);
  return {
    provider: to.provider,
    staysThere: transfer.kind === 'move' && from.every((item) => storedAt(item, '/').linkId === linkId),
    ...(usage?.total !== undefined && { freeBytes: Math.max(0, usage.total - usage.used) }),
    ...(dayBytes !== undefined && { dayBytes }),
  };
}

/** What an account says of its space; undefined where it says nothing, or not now. */
export async function usageOf({ connector }: Pick<OpenItem, 'connector'>, signal: AbortSignal): Promise<Usage | undefined> {
  try {
    return await connector.usage?.({ signal });
  } catch (error) {
    if (error instanceof AppError && unasked.includes(error.messageCode)) return undefined;
    throw error;
  }
}

/** Whether the destination says that so many bytes do not fit. */
export const isTooMuch = ({ freeBytes, staysThere }: Room, bytes: number): boolean =>
  !staysThere && freeBytes !== undefined && bytes > freeBytes;
