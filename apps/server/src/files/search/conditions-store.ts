import { type RawBuilder, sql } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import { type SearchQuery, anchorsOf } from './parse-query.ts';

/** Whether entries whose name has the anchors may still be refused. */
export const isFiltered = ({ words, extensions, kind, largerThan, smallerThan, modified }: SearchQuery): boolean =>
  words.length > 1 || [extensions, kind, largerThan, smallerThan, modified].some((filter) => filter !== undefined);

/** Conditions of a query on `listing_folder f` and `listing_entry` under the given name; together they are the query. */
export function createConditions(engine: Engine, entry: 'e' | 'k' = 'e') {
  const e = sql.raw(entry);
  const name = engine === 'postgres' ? sql`(coalesce(${e}.folded, ${e}.name) collate "C")` : sql`coalesce(${e}.folded, ${e}.name)`;
  const path = sql`coalesce(f."foldedPath", lower(f.path))`;
  const has = (text: RawBuilder<unknown>, part: string): RawBuilder<unknown> =>
    engine === 'postgres' ? sql`${text} like ${`%${escapeLike(part)}%`}` : sql`instr(${text}, ${part}) > 0`;
  const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
    conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  /** The folder's path has the texts after `in:`. */
  const inFolders = ({ folders }: SearchQuery): RawBuilder<unknown> => all(folders.map((word) => has(path, word)));

  /** The name has an anchor. */
  const anchored = (query: SearchQuery): RawBuilder<unknown> => {
    const anchors = anchorsOf(query);
    if (anchors.length === 0) return sql`true`;
    return sql`(${sql.join(
      anchors.map((word) => has(name, word)),
      sql` or `,
    )})`;
  };

  /** What an entry fulfils besides {@link anchored} and {@link inFolders}. */
  function filtered(query: SearchQuery): RawBuilder<unknown> {
    const { words, extensions, kind, largerThan, smallerThan, modified } = query;
    return all([
      ...(words.length > 1 ? words.map((word) => sql`(${has(name, word)} or ${has(path, word)})`) : []),
      ...(kind ? [sql`${e}."isFile" = ${sql.lit(kind === 'file' ? 1 : 0)}`] : []),
      ...(extensions ? [sql`${e}.extension in (${sql.join(extensions)})`] : []),
      ...(largerThan !== undefined ? [sql`${e}.size > ${Math.trunc(largerThan)}`] : []),
      ...(smallerThan !== undefined ? [sql`${e}.size < ${Math.ceil(smallerThan)}`] : []),
      ...(modified ? [sql`${e}.modified >= ${modified.from} and ${e}.modified < ${modified.to}`] : []),
    ]);
  }

  return { anchored, inFolders, filtered };
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
