import { spacesProvider } from '#/links/connections/spaces-provider.ts';
import { numberedFree, nameKeyOf } from '#/links/links/names.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

/** A member's new link to a Space. */
export interface NewSpaceLink {
  readonly id: string;
  readonly accountId: string;
  readonly spaceId: string;
  /** Numbered when the member has a link of that name. */
  readonly name: string;
  /** Account name for display. */
  readonly account: string;
  readonly createdAt: number;
}

/** Inserts a member's link to a Space. */
export async function insertSpaceLink(transaction: Db, { id, accountId, spaceId, name, account, createdAt }: NewSpaceLink): Promise<void> {
  const row = {
    id,
    accountId,
    provider: spacesProvider,
    sourceType: spacesProvider,
    account,
    identity: spaceId,
    info: '{}',
    state: 'ok',
    checkedAt: null,
    attention: null,
    createdAt,
    revision: 1,
  };
  for (;;) {
    const free = await freeLinkName(transaction, accountId, name);
    const inserted = await transaction
      .insertInto('link')
      .values({ ...row, name: free, nameKey: nameKeyOf(free) })
      .onConflict((conflict) => conflict.columns(['accountId', 'nameKey']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return;
  }
}

/** `name`, numbered when the account has a link of that name. */
export async function freeLinkName(transaction: Db, accountId: string, name: string): Promise<string> {
  const rows = await transaction.selectFrom('link').select('nameKey').where('accountId', '=', accountId).execute();
  return numberedFree(name, new Set(rows.map(({ nameKey }) => nameKey)));
}
