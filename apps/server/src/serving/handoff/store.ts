import type { ProcessData } from '@sheaf/contract';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type HandoffRow = Database['handoff'];

/** Store of folders that programs ask for. */
export function createHandoffStore(db: Db) {
  /** Ends a pending process; false when there is none, because it can be answered once only. */
  async function end(accountId: string, tokenHash: string, now: number, change: Partial<HandoffRow>): Promise<boolean> {
    const ended = await db
      .updateTable('handoff')
      .set(change)
      .where('tokenHash', '=', tokenHash)
      .where('accountId', '=', accountId)
      .where('state', '=', 'pending')
      .where('expiresAt', '>', now)
      .returning('tokenHash')
      .executeTakeFirst();
    return ended !== undefined;
  }
  return {
    async insert(row: HandoffRow): Promise<void> {
      await db.insertInto('handoff').values(row).execute();
    },
    find: (accountId: string, tokenHash: string, now: number): Promise<HandoffRow | undefined> =>
      db
        .selectFrom('handoff')
        .selectAll()
        .where('tokenHash', '=', tokenHash)
        .where('accountId', '=', accountId)
        .where('expiresAt', '>', now)
        .executeTakeFirst(),
    complete: (accountId: string, tokenHash: string, now: number, chosen: ProcessData) =>
      end(accountId, tokenHash, now, { state: 'completed', ...chosen }),
    cancel: (accountId: string, tokenHash: string, now: number) => end(accountId, tokenHash, now, { state: 'canceled' }),
    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('handoff').where('expiresAt', '<=', now).execute();
    },
  };
}
export type HandoffStore = ReturnType<typeof createHandoffStore>;
