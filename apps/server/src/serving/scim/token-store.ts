import { orgRights } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { type Act, orgEvent } from '#/sharing/orgs/events.ts';

type Row = Database['scim_token'];
export interface TokenRow extends Row {
  /** Name of the admin who made it. */
  readonly maker: string | null;
}

/** Seconds between two writes of a token's last use. */
const noteEvery = 60;

/** Store of the tokens with which directories keep an organisation's members. */
export function createScimTokenStore(db: Db) {
  return {
    list: (orgId: string): Promise<TokenRow[]> =>
      db
        .selectFrom('scim_token')
        .leftJoin('account', 'account.id', 'scim_token.createdBy')
        .selectAll('scim_token')
        .select('account.name as maker')
        .where('scim_token.orgId', '=', orgId)
        .orderBy('scim_token.createdAt')
        .orderBy('scim_token.id')
        .execute(),
    insert: (row: Row, orgName: string, act: Act): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('scim_token').values(row).execute();
        await recordAudit(transaction, orgEvent(row.orgId, orgName, 'org.token', act, { token: row.name }));
      }),
    /** False when there is none. */
    remove: (orgId: string, id: string, orgName: string, act: Act): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('scim_token').where('orgId', '=', orgId).where('id', '=', id);
        const removed = await query.returning('name').executeTakeFirst();
        if (removed) await recordAudit(transaction, orgEvent(orgId, orgName, 'org.tokenRemoved', act, { token: removed.name }));
        return removed !== undefined;
      }),
    /** The token, if the admin who made it may still manage members. */
    async find(tokenHash: string, at: number): Promise<Row | undefined> {
      const row = await db
        .selectFrom('scim_token')
        .innerJoin('org_member', (join) =>
          join.onRef('org_member.accountId', '=', 'scim_token.createdBy').onRef('org_member.orgId', '=', 'scim_token.orgId'),
        )
        .innerJoin('account', 'account.id', 'scim_token.createdBy')
        .selectAll('scim_token')
        .where('tokenHash', '=', tokenHash)
        .where('org_member.role', 'in', orgRights.members)
        .where('account.disabledAt', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      if ((row.lastUsedAt ?? 0) < at - noteEvery)
        await db.updateTable('scim_token').set({ lastUsedAt: at }).where('id', '=', row.id).execute();
      return row;
    },
  };
}
export type ScimTokenStore = ReturnType<typeof createScimTokenStore>;
