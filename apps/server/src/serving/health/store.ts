import { type OperatorEvent, recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

/** The operators' log, for test letters. */
export const createHealthStore = (db: Db) => ({
  record: (event: OperatorEvent): Promise<void> => recordOperatorEvent(db, event),
});
