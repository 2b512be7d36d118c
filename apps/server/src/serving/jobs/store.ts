import { type OperatorEvent, recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

export type OperatedJobsStore = ReturnType<typeof createOperatedJobsStore>;

export const createOperatedJobsStore = (db: Db) => ({
  record: (event: OperatorEvent): Promise<void> => recordOperatorEvent(db, event),
});
