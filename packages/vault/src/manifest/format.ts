import { fieldsOf, jsonObject } from '../json-object.ts';
import { randomHex } from '../random-hex.ts';

/**
 * Records of a folder: for each name the nonce and the size of its content. The format of rclone authenticates each block of a file, but neither the
 * number of blocks nor the name of the file. A nonce is unique to one content, so these records prove both.
 *
 * A folder has any number of parts, each an ordinary encrypted file in it. Each writer changes only its own part, so two writers cannot lose each
 * other's records. The newest record of a name counts.
 */

/** A file, a subfolder, or (with neither) a deleted item. */
export interface ManifestRecord {
  readonly name: string;
  /** Time of the record, epoch milliseconds. */
  readonly at: number;
  /** Nonce of the file in base64, and size of the clear file in bytes. */
  readonly nonce?: string;
  readonly size?: number;
  readonly folder?: string;
}

export interface ManifestPart {
  /** Id of the folder that the part belongs to: a part that the storage moves to another folder is then recognised as foreign. */
  readonly folder: string;
  readonly records: readonly ManifestRecord[];
}

/** Clear names of parts. rclone shows parts as files; without a valid encrypted name it would skip them, and could not remove their folder. */
const partName = /^\.sheaf-manifest-[0-9a-f]{16}$/;
export const isManifestName = (name: string): boolean => partName.test(name);
export const newManifestName = (): string => `.sheaf-manifest-${randomHex(8)}`;
export const newFolderId = (): string => randomHex(16);
/** Id of the root of a vault, which no parent folder records. */
export const rootFolderId = 'root';

const version = 1;

export const writePart = ({ folder, records }: ManifestPart): string => JSON.stringify({ v: version, folder, records });

/** Returns undefined for text that is not a part of this version; the folder is then unproven. */
export function readPart(text: string): ManifestPart | undefined {
  const { v, folder, records } = jsonObject(text) ?? {};
  if (v !== version || typeof folder !== 'string' || !Array.isArray(records) || !records.every(isRecord)) return undefined;
  return { folder, records };
}

function isRecord(value: unknown): value is ManifestRecord {
  const { name, at, nonce, size, folder } = fieldsOf(value) ?? {};
  const isFile = typeof nonce === 'string' && Number.isSafeInteger(size);
  const isNoFile = nonce === undefined && size === undefined;
  return typeof name === 'string' && Number.isSafeInteger(at) && (isFile || isNoFile) && ['undefined', 'string'].includes(typeof folder);
}
