import { type RawBuilder, sql } from 'kysely';
import { gonePrefix } from './folder-rows.ts';

/** A folder of a link that a user may read, with everything below it. */
export interface ReadableFolder {
  readonly linkId: string;
  readonly path: string;
}

const begins = (text: RawBuilder<unknown>, start: string) => sql`substr(${text}, 1, length(cast(${start} as text))) = ${start}`;
const isBelow = (folder: string) => (folder === '/' ? sql`true` : sql`(f.path = ${folder} or ${begins(sql`f.path`, `${folder}/`)})`);

/** Condition on `listing_folder f`: the folder and everything below it, without encrypted folders and what waits for deletion. */
export const isReadable = ({ linkId, path: root }: ReadableFolder): RawBuilder<unknown> => sql`
  f."linkId" = ${linkId} and ${isBelow(root)} and substr(f."pathKey", 1, ${sql.lit(gonePrefix.length)}) <> ${sql.lit(gonePrefix)}
  and not exists (select 1 from encryption_folder v where v."linkId" = f."linkId"
    and (f.path = v.path or v.path = '/' or substr(f.path, 1, length(v.path) + 1) = v.path || '/'))`;

/** A path in a link as a path below one of its folders. */
export const pathBelow = (root: string, path: string): string => (root === '/' ? path : path.slice(root.length) || '/');
