import { hash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database } from '#/platform/db/schema/schema.ts';

/** A folder whose entries are stored, or about to be. */
export type StoredFolder = Pick<
  Selectable<Database['listing_folder']>,
  'id' | 'listedAt' | 'fingerprint' | 'version' | 'folderCount' | 'fileCount' | 'isUnopened'
>;
export const folderColumns = ['id', 'listedAt', 'fingerprint', 'version', 'folderCount', 'fileCount', 'isUnopened'] as const;

/** Longest path that is indexed directly, in characters. */
const indexedLength = 300;

/** Key of a folder: its path, or a digest of a path too long for an index. */
export const pathKeyOf = (path: string): string => (path.length <= indexedLength ? path : `sha256:${hash('sha256', path, 'base64url')}`);

/** Prefix that replaces the path key while the folder's rows wait for deletion; no path begins with it. */
export const gonePrefix = 'gone:';
export const goneKeyOf = (folderId: number): string => `${gonePrefix}${folderId}`;
/** Owner and link of rows whose own link was deleted, on SQLite; see the migration `034-gone-listings`. */
export const goneId = 'gone';
/** The same key of the updated row, in SQL. */
export const goneKey = sql<string>`'gone:' || ${sql.ref('id')}`;
