import type { Db } from '#/platform/db/schema/engine.ts';
import { grantField } from './grant.ts';

/** The grants of links, and who is renewing them. Every method is one statement: nothing is held open while a provider is asked. */
export function createGrantStore(db: Db) {
  return {
    /** The sealed grant; undefined when the link is gone or has none. */
    async sealedOf(linkId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('link_secret')
        .select('sealed')
        .where('linkId', '=', linkId)
        .where('field', '=', grantField)
        .executeTakeFirst();
      return row?.sealed;
    },
    /** Puts `sealed` in the place of `before`; false when something else stands there by now. */
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
    /** Makes `renewer` the only one to renew the grant until then; false while somebody else is. Times are epoch ms. */
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
    /** Whose grant a link lives on; undefined for links made otherwise. */
    async ownerOf(linkId: string): Promise<string | undefined> {
      const row = await db.selectFrom('link_grant').select('owner').where('linkId', '=', linkId).executeTakeFirst();
      return row?.owner;
    },
    /** Whether any link, of whomever, lives on a grant of that owner. */
    async isInUse(owner: string): Promise<boolean> {
      return (await db.selectFrom('link_grant').select('linkId').where('owner', '=', owner).limit(1).executeTakeFirst()) !== undefined;
    },
  };
}
export type GrantStore = ReturnType<typeof createGrantStore>;
