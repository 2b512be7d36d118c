import { fieldsOf, jsonObject } from '../json-object.ts';
import { randomHex } from '../random-hex.ts';

/**
 * Records of a folder: for each name the nonce and the size of the content that was written under it. The format of rclone proves each block of a file
 * but neither their number nor that a content belongs to a name; the nonce names a content for good, so that both follow from these records.
 *
 * A folder has any number of parts, each an ordinary encrypted file in it: a writer has a part of its own and never changes another's, so that two
 * writers cannot lose each other's records. The newest record of a name counts.
 */

/** A file, a folder below this one, or (without either) something that was deleted. */
export interface ManifestRecord {
  readonly name: string;
  /** Epoch milliseconds at which it was recorded. */
  readonly at: number;
  /** Base64 of the file's nonce, and bytes of the clear file. */
  readonly nonce?: string;
  readonly size?: number;
  /** Id of the folder. */
  readonly folder?: string;
}

export interface ManifestPart {
  /** Id of the folder that the part belongs to: one that the storage moved elsewhere is not taken for that of another folder. */
  readonly folder: string;
  readonly records: readonly ManifestRecord[];
}

/** Clear names of parts. rclone shows them as files; an unknown name would keep it from removing folders. */
const partName = /^\.sheaf-manifest-[0-9a-f]{16}$/;
export const isManifestName = (name: string): boolean => partName.test(name);
export const newManifestName = (): string => `.sheaf-manifest-${randomHex(8)}`;
export const newFolderId = (): string => randomHex(16);
/** Id of a vault's own folder, which no folder above can name. */
export const rootFolderId = 'root';

const version = 1;

export const writePart = ({ folder, records }: ManifestPart): string => JSON.stringify({ v: version, folder, records });

/** Undefined for a text that is no part of this version: its folder is unproven then. */
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
