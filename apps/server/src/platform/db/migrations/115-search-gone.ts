import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** As in `029-search`. */
const idsPerLink = 4_294_967_296;

/**
 * SQLite only: an entry's deletion notes its id in the search instead of deleting it from the index, and a job takes the noted ids out of the index. FTS5 would
 * merge whole parts of the index in the middle of a deletion (`deletemerge`), for as long as it takes: after a link of ten million entries more than five
 * seconds in which nobody else can write.
 */
export const searchGone: Migration = {
  name: '115-search-gone',
  async up(db, engine) {
    // Ids that were taken out since the index was last merged.
    await db.schema
      .alterTable('search_index')
      .addColumn('unmerged', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    if (engine !== 'sqlite') return;

    await sql`insert into listing_search (listing_search, rank) values ('deletemerge', 0)`.execute(db);
    await sql`create table search_gone (id integer primary key)`.execute(db);
    await sql`create trigger search_gone_dropped after delete on search_gone begin
      delete from listing_search where rowid = old.id;
    end`.execute(db);
    for (const trigger of ['indexed', 'indexed_late', 'unindexed']) await sql.raw(`drop trigger listing_entry_${trigger}`).execute(db);
    await sql`create trigger listing_entry_unindexed after delete on listing_entry when old."searchId" is not null begin
      insert into search_gone (id) values (old."searchId");
    end`.execute(db);

    const isNew = `"folderId" = new."folderId" and "isFile" = new."isFile" and "sortKey" = new."sortKey" and name = new.name`;
    const first = `(select number * ${idsPerLink} from listing_link join listing_folder using ("linkId") where listing_folder.id = new."folderId")`;
    const lastOf = (table: string, id: string) =>
      `coalesce((select max(${id}) from ${table} where ${id} between ${first} and ${first} + ${idsPerLink - 1}), ${first})`;
    // An id that still stands in the index is not given again.
    const add = `
      update listing_entry set "searchId" = 1 + max(${lastOf('listing_entry', '"searchId"')}, ${lastOf('search_gone', 'id')}) where ${isNew};
      insert into listing_search (rowid, name) select "searchId", coalesce(folded, name) from listing_entry where ${isNew};`;
    await sql.raw(`create trigger listing_entry_indexed after insert on listing_entry begin ${add} end`).execute(db);
    await sql
      .raw(`create trigger listing_entry_indexed_late after update of "searchId" on listing_entry when new."searchId" = 0 begin ${add} end`)
      .execute(db);
  },
};
