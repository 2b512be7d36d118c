import type { Db } from '#/platform/db/schema/engine.ts';
import { grantField } from './grant.ts';

/** Store of links' grants and of the leases for renewing them. Every method is one statement: nothing is locked while a provider is asked. */
export function createGrantStore(db: Db) {
  return {
    /** The sealed grant; undefined when the link does not exist or has none. */
    async sealedOf(linkId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('link_secret')
        .select('sealed')
        .where('linkId', '=', linkId)
        .where('field', '=', grantField)
        .executeTakeFirst();
      return row?.sealed;
    },
    /** Replaces `before` by `sealed`; false when it has changed meanwhile. */
    async replace(linkId: string, before: string, sealed: string): Promise<boolean> {
      const row = await db
        .updateTable('link_secret')
        .set({ sealed })
        .where('linkId', '=', linkId)
        .where('field', '=', grantField)
        .where('sealed', '=', before)
        .returning('linkId')
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Leases the renewal to `renewer`; false while another instance has the lease. Times are epoch ms. */
    async takeLease(linkId: string, renewer: string, now: number, until: number): Promise<boolean> {
      const row = await db
        .updateTable('link_grant')
        .set({ renewer, renewsUntil: until })
        .where('linkId', '=', linkId)
        .where('renewsUntil', '<=', now)
        .returning('linkId')
        .executeTakeFirst();
      return row !== undefined;
    },
    async endLease(linkId: string, renewer: string): Promise<void> {
      await db
        .updateTable('link_grant')
        .set({ renewer: null, renewsUntil: 0 })
        .where('linkId', '=', linkId)
        .where('renewer', '=', renewer)
        .execute();
    },
    /** The owner of a link's grant; undefined for links without one. */
    async ownerOf(linkId: string): Promise<string | undefined> {
      const row = await db.selectFrom('link_grant').select('owner').where('linkId', '=', linkId).executeTakeFirst();
      return row?.owner;
    },
    /** Whether any link, of any account, uses a grant of that owner. */
    async isInUse(owner: string): Promise<boolean> {
      return (await db.selectFrom('link_grant').select('linkId').where('owner', '=', owner).limit(1).executeTakeFirst()) !== undefined;
    },
  };
}
export type GrantStore = ReturnType<typeof createGrantStore>;
