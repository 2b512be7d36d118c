import { type Connector, type Entry, measured } from '@sheaf/connectors';
import { isRow } from '#/files/items/entry-at.ts';
import type { Ends } from '../rows/ends.ts';
import type { ItemRow } from '../rows/item-store.ts';
import type { TransferRow } from '../rows/store.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { Proven } from './proof.ts';

/** A file to be copied or moved. */
export interface FileJob {
  readonly transfer: TransferRow;
  readonly item: ItemRow;
  readonly ends: Ends;
  readonly toPath: string;
  readonly ifExists: 'fail' | 'replace';
  /** The transfer has made the folder a moment ago, so that the name is free. */
  readonly seenFree?: boolean;
  /** The link has one connection: the file must be read to its end before it is written. */
  readonly isAlone: boolean;
  /** Nothing follows when the file is proven: its state is stored together with the proof. */
  readonly endsItem?: boolean;
  /** To be called when the source is not needed any more. */
  readonly sourceDone?: () => void;
  /** Moves: the caller removes the source, after the file has got its final name. */
  readonly leavesSource?: true;
  readonly bandwidth: Bandwidth;
  readonly signal: AbortSignal;
  /** Counts bytes that passed; negative when they have to pass again. */
  readonly count: (bytes: number) => void;
  /** Bytes that were sent in vain. */
  readonly sentTwice: (bytes: number) => void;
  /** Stores a change of the item, which may be lost in a power cut if it `isRepeatable`; rejects when another worker has the transfer. */
  readonly store: (change: Partial<ItemRow>, isRepeatable?: boolean) => Promise<void>;
}

/** A file that was made, and how its bytes were proven. */
export interface CopiedFile extends Proven {
  readonly entry: Entry;
  /** The source's metadata as it was read; absent where the source moved the file itself. */
  readonly read?: Partial<Entry>;
  /** Who copied the bytes: the service of both ends, or Sheaf, also after the service had refused; absent for a file that an earlier run had finished. */
  readonly by?: 'service' | 'sheaf' | 'sheaf_after_refusal';
}

/** Whether a folder holds nothing; one that is missing counts as not empty. */
export async function isEmpty(connector: Connector, folder: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const batch of connector.list(folder, { signal })) if (batch.length > 0) return false;
    return true;
  } catch (error) {
    if (isRow(error, 'ITEM_NOT_FOUND')) return false;
    throw error;
  }
}

/**
 * Whether metadata may belong to the same content: the sizes and the strong etags that both have are equal, or, without such etags, the times. Times do not
 * count beside etags: object stores answer a write with another second than they report afterwards.
 */
export function isUnchanged(one: Partial<Entry>, other: Partial<Entry>): boolean {
  const etags = [strong(one.etag), strong(other.etag)] as const;
  if (!same(one.size, other.size) || !same(...etags)) return false;
  return !etags.includes(undefined) || same(one.modified, other.modified);
}

const same = <T>(one: T | undefined, other: T | undefined): boolean => one === undefined || other === undefined || one === other;
/** Weak tags may differ for the same bytes (RFC 9110, section 8.8.1). */
const strong = (etag: string | undefined): string | undefined => (etag?.startsWith('W/') ? undefined : etag);

/** Counts bytes as the destination takes them: all `expected` ones when the upload has succeeded, none when it has failed. */
export async function countTaken<T>(count: (bytes: number) => void, expected: number | undefined, upload: () => Promise<T>): Promise<T> {
  let counted = 0;
  const setTo = (bytes: number): void => {
    count(bytes - counted);
    counted = bytes;
  };
  try {
    const result = await measured((bytes) => setTo(Math.min(bytes, expected ?? bytes)), upload);
    if (expected !== undefined) setTo(expected);
    return result;
  } catch (error) {
    setTo(0);
    throw error;
  }
}
