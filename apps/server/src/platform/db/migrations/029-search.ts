import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Most rows of listings that are indexed within the migration; a job indexes more, so that the start does not wait. */
const indexedAtOnce = 50_000;

/** Ids of a link's entries in the search index: its number in the upper bits, so that they are one range. */
const idsPerLink = 4_294_967_296;

/** Index of names for the search: trigrams of the folded names, kept by triggers in the transaction of the rows. */
export const search: Migration = {
  name: '029-search',
  async up(db, engine) {
    await db.schema.alterTable('listing_folder').addColumn('foldedPath', 'text').execute();
    // Progress of the job that indexes rows of earlier versions.
    await db.schema
      .createTable('search_index')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute();
    const { rows: existing } = await sql`select 1 from listing_entry limit ${indexedAtOnce}`.execute(db);

    if (engine === 'postgres') {
      // The extension may be missing or forbidden; the job tries again at every start, and searching works without the index.
      const index =
        existing.length < indexedAtOnce
          ? `create index listing_entry_search on listing_entry using gin ((coalesce(folded, name) collate "C") gin_trgm_ops) with (fastupdate = off);
             insert into search_index (id, state) values (1, 'ready');`
          : '';
      await sql
        .raw(
          `do $$ begin create extension if not exists pg_trgm; ${index} exception when others then raise warning 'no index for the search: %', sqlerrm; end $$`,
        )
        .execute(db);
      await sql`insert into search_index (id, state) values (1, 'pending') on conflict do nothing`.execute(db);
      return;
    }

    await sql`create table listing_link (
      number integer primary key autoincrement, "linkId" text not null unique references link(id) on delete cascade)`.execute(db);
    await sql`insert into listing_link ("linkId") select distinct "linkId" from listing_folder`.execute(db);
    await sql`create trigger listing_folder_numbered after insert on listing_folder begin
      insert into listing_link ("linkId") select new."linkId" where not exists (select 1 from listing_link where "linkId" = new."linkId");
    end`.execute(db);
    await db.schema.alterTable('listing_entry').addColumn('searchId', 'integer').execute();
    await sql`create unique index listing_entry_search on listing_entry ("searchId") where "searchId" is not null`.execute(db);
    await sql`create virtual table listing_search using fts5(name, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`.execute(
      db,
    );
    const isNew = `"folderId" = new."folderId" and "isFile" = new."isFile" and "sortKey" = new."sortKey" and name = new.name`;
    const first = `(select number * ${idsPerLink} from listing_link join listing_folder using ("linkId") where listing_folder.id = new."folderId")`;
    const add = `
      update listing_entry set "searchId" = (select 1 + coalesce(
        (select max("searchId") from listing_entry where "searchId" between ${first} and ${first} + ${idsPerLink - 1}), ${first}))
        where ${isNew};
      insert into listing_search (rowid, name) select "searchId", coalesce(folded, name) from listing_entry where ${isNew};`;
    await sql.raw(`create trigger listing_entry_indexed after insert on listing_entry begin ${add} end`).execute(db);
    // The job sets 0 for rows of earlier versions.
    await sql
      .raw(`create trigger listing_entry_indexed_late after update of "searchId" on listing_entry when new."searchId" = 0 begin ${add} end`)
      .execute(db);
    await sql`create trigger listing_entry_unindexed after delete on listing_entry when old."searchId" is not null begin
      delete from listing_search where rowid = old."searchId";
    end`.execute(db);
    await sql`insert into search_index (id, state) values (1, ${existing.length === 0 ? 'ready' : 'pending'})`.execute(db);
  },
};
