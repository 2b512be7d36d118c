import { type OperatorEvent, recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

export type BackupStore = ReturnType<typeof createBackupStore>;

export function createBackupStore(db: Db) {
  return {
    /** The account that owns the link. */
    ownerOf: async (linkId: string): Promise<string | undefined> =>
      (await db.selectFrom('link').select('accountId').where('id', '=', linkId).executeTakeFirst())?.accountId,
    record: (event: OperatorEvent): Promise<void> => recordOperatorEvent(db, event),
  };
}
