import type { FindDefinition, Operation, OperationDeadlines } from '@sheaf/connectors';
import type { Clock } from './platform/clock.ts';

/** Parts that tests replace. */
export interface TestOverrides {
  readonly now?: Clock;
  readonly findDefinition?: FindDefinition;
  /** How long sources may take. */
  readonly deadlinesOf?: (operation: Operation) => OperationDeadlines;
  /** False: scheduled jobs run at the start at most, so that no test depends on the time of day. */
  readonly schedules?: boolean;
}
