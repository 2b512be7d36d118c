import type { FindDefinition } from '@sheaf/connectors';
import type { Clock } from './platform/clock.ts';

/** Parts that tests replace. */
export interface TestOverrides {
  readonly now?: Clock;
  readonly findDefinition?: FindDefinition;
  /** False: scheduled jobs run at the start at most, so that no test depends on the time of day. */
  readonly schedules?: boolean;
}
