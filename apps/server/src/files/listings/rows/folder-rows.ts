import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '#/platform/db/schema/schema.ts';

/** A folder whose entries are stored, or are about to be. */
export type StoredFolder = Pick<
  Selectable<Database['listing_folder']>,
  'id' | 'listedAt' | 'fingerprint' | 'version' | 'folderCount' | 'fileCount'
>;
export const folderColumns = ['id', 'listedAt', 'fingerprint', 'version', 'folderCount', 'fileCount'] as const;

/** Longest path that is indexed as it is, in characters. */
const indexedLength = 300;

/** What a folder is found by: its path, or what stands for a path too long for an index. */
export const pathKeyOf = (path: string): string => (path.length <= indexedLength ? path : `sha256:${hash('sha256', path, 'base64url')}`);

/** Begins what stands in place of a path key once the folder's rows wait to be deleted; no path begins like it. */
export const gonePrefix = 'gone:';
export const goneKeyOf = (folderId: number): string => `${gonePrefix}${folderId}`;
