import type { Bin, Entry } from '@sheaf/connectors';
import type { AppError, ChangeKind, MessageCode } from '@sheaf/contract';
import type { JournalRow } from './store.ts';

/** Where a deletion goes. */
export interface BinOfItem {
  readonly bin: Bin;
  /** Days for which it is kept there, as far as Sheaf decides. */
  readonly days: number;
}

/** A change about to be made. */
export interface Intent {
  readonly kind: ChangeKind;
  /** The client's id for changes that are undone together. */
  readonly undoId?: string | undefined;
  readonly path: string;
  readonly toPath?: string;
  /** The item as last seen. */
  readonly entry: Partial<Entry> | undefined;
  /** Where a deleted item goes. */
  readonly into?: BinOfItem;
}

/** Errors after which it is not known whether the source has made the change. */
const unclear: ReadonlySet<MessageCode> = new Set<MessageCode>([
  'CANNOT_CONNECT',
  'SOURCE_CONFUSED',
  'SOURCE_DID_NOTHING',
  'SOURCE_FAILED',
  'SOURCE_SENT_PAGE',
  'SOURCE_TIMEOUT',
  'SPACE_TROUBLE',
  'TRANSFER_CUT',
  'UNEXPECTED',
]);

/** Whether the source may have made the change although it failed. */
export const isUnclear = (error: AppError): boolean => unclear.has(error.messageCode);

/** Facts of an entry that tell whether it has changed since. */
export const factsOf = ({ size, modified, etag }: Partial<Entry>): Pick<JournalRow, 'size' | 'modified' | 'etag'> => ({
  size: size ?? null,
  modified: modified === undefined ? null : Math.trunc(modified),
  etag: etag ?? null,
});
