import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * SQLite only: deleting a link, or an account with all its links, deletes no rows of listings. A million of them, each with its entries in the search
 * index, would block the process for seconds. They pass to a link of nobody instead, from where they are deleted slice by slice. Postgres deletes in a
 * process of its own.
 */
export const goneListings: Migration = {
  name: '034-gone-listings',
  async up(db, engine) {
    if (engine !== 'sqlite') return;
    await sql`create trigger link_listings_kept before delete on link
      when old.id <> 'gone' and exists (select 1 from listing_folder where "linkId" = old.id)
    begin
      insert or ignore into account (id, kind, name, email, "emailKey", "disabledAt", "createdAt") values ('gone', 'nobody', '', '', 'gone', 0, 0);
      insert or ignore into link (id, "accountId", provider, "sourceType", name, "nameKey", account, identity, info, state, "createdAt", revision)
        values ('gone', 'gone', '', '', '', '', '', '', '{}', 'unproven', 0, 0);
      update listing_folder set "linkId" = 'gone', "pathKey" = 'gone:' || id, "listedAt" = null where "linkId" = old.id;
    end`.execute(db);
  },
};
