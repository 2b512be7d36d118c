import type { FindDefinition } from '@sheaf/connectors';
import type { Clock } from './platform/clock.ts';

/** What tests replace. */
export interface TestOverrides {
  readonly now?: Clock;
  readonly findDefinition?: FindDefinition;
  /** False: scheduled jobs run at the start at most, so that a test does not depend on the minute it runs in. */
  readonly schedules?: boolean;
}
