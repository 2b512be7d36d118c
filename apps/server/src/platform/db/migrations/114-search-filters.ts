import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * SQLite only: what filters of a search ask for stands in the index from the search's ids to the entries. Otherwise each entry that a filter refuses is looked up
 * in the table first, at twice the cost. The index keeps its name, which statements of earlier versions give.
 */
export const searchFilters: Migration = {
  name: '114-search-filters',
  async up(db, engine) {
    if (engine !== 'sqlite') return;
    await sql`drop index listing_entry_search`.execute(db);
    await sql`create index listing_entry_search on listing_entry ("searchId", folded, extension, size, modified) where "searchId" is not null`.execute(
      db,
    );
  },
};
