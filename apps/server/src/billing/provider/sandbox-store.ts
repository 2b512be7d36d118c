import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import { type Ledger, emptyLedger } from './sandbox-ledger.ts';

/** Stores what a billing provider would: accounts and the sandbox's clock. */
export function createSandboxStore(db: Db) {
  return {
    async read(accountId: string): Promise<Ledger> {
      const row = await db.selectFrom('sandbox_account').select('state').where('id', '=', accountId).executeTakeFirst();
      return row === undefined ? emptyLedger : (JSON.parse(row.state) as Ledger);
    },

    /** Changes the account's book; changes run one after the other on all instances. If `change` throws, nothing is stored. */
    change: (accountId: string, change: (ledger: Ledger) => Ledger): Promise<Ledger> =>
      db.transaction().execute(async (transaction) => {
        // Writes first: this takes the lock on both engines, so that the following read sees the newest state.
        const { state } = await transaction
          .insertInto('sandbox_account')
          .values({ id: accountId, state: JSON.stringify(emptyLedger), revision: 1 })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ revision: sql<number>`sandbox_account.revision + 1` }))
          .returning('state')
          .executeTakeFirstOrThrow();
        const ledger = JSON.parse(state) as Ledger;
        const next = change(ledger);
        if (next !== ledger)
          await transaction
            .updateTable('sandbox_account')
            .set({ state: JSON.stringify(next) })
            .where('id', '=', accountId)
            .execute();
        return next;
      }),

    /** Seconds by which the sandbox's clock is ahead. */
    async ahead(): Promise<number> {
      const row = await db.selectFrom('sandbox_clock').select('ahead').executeTakeFirst();
      return row?.ahead ?? 0;
    },

    async moveOn(seconds: number): Promise<void> {
      await db
        .updateTable('sandbox_clock')
        .set({ ahead: sql<number>`ahead + ${seconds}` })
        .execute();
    },
  };
}
export type SandboxStore = ReturnType<typeof createSandboxStore>;
