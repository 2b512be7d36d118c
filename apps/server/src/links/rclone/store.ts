import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** A link with its sealed secrets. */
export type SealedLink = Pick<Database['link'], 'id' | 'name' | 'provider' | 'sourceType' | 'account' | 'info' | 'createdAt'> & {
  readonly sealed: Readonly<Record<string, string>>;
};

/** Store for exports of an account's links. */
export function createLinkFileStore(db: Db) {
  return {
    /** The account's links by name, as a snapshot; records the export in the log. */
    take: (accountId: string, event: AuditEvent): Promise<SealedLink[]> =>
      db.transaction().execute(async (transaction) => {
        const links = await transaction
          .selectFrom('link')
          .select(['id', 'name', 'provider', 'sourceType', 'account', 'info', 'createdAt'])
          .where('accountId', '=', accountId)
          .orderBy('nameKey')
          .execute();
        const secrets = await transaction
          .selectFrom('link_secret')
          .innerJoin('link', 'link.id', 'link_secret.linkId')
          .selectAll('link_secret')
          .where('link.accountId', '=', accountId)
          .execute();
        const byLink = Map.groupBy(secrets, ({ linkId }) => linkId);
        await recordAudit(transaction, event);
        return links.map((link) => ({
          ...link,
          sealed: Object.fromEntries((byLink.get(link.id) ?? []).map(({ field, sealed }) => [field, sealed])),
        }));
      }),

    /** Keys of the account's link names. */
    async nameKeys(accountId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('link').select('nameKey').where('accountId', '=', accountId).execute();
      return new Set(rows.map(({ nameKey }) => nameKey));
    },
  };
}
export type LinkFileStore = ReturnType<typeof createLinkFileStore>;
