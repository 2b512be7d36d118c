import type { KeepVersionsRule, TransferConflictRule, TransferKind, VerifyRule } from '@sheaf/contract';

/** Transfers that start at certain times. Times are epoch milliseconds. */
export interface ScheduleTables {
  schedule: {
    id: string;
    accountId: string;
    name: string;
    /** Unique in the account. */
    nameKey: string;
    kind: TransferKind;
    /** JSON: {@link TransferPlace}s. */
    sources: string;
    /** JSON: a {@link TransferPlace}. */
    target: string;
    conflict: TransferConflictRule;
    verify: VerifyRule;
    bytesPerSecond: number | null;
    keepVersions: KeepVersionsRule | null;
    /** Days and runs after which kept files are removed; null for never. */
    versionDays: number | null;
    versionRuns: number | null;
    /** Since when no run starts by itself. */
    pausedAt: number | null;
    cron: string;
    timezone: string;
    nextRunAt: number;
    /** A run that has been claimed, and may not have been created yet. */
    pendingTransferId: string | null;
    lastTransferId: string | null;
    lastRunAt: number | null;
    /** JSON of the error's answer: why the last run could not be created. */
    error: string | null;
    /** When a run was due that did not happen in time. */
    missedAt: number | null;
    /** The last run whose end was seen. */
    seenTransferId: string | null;
    /** When a mail about a failure was sent; null since the last success. */
    mailedAt: number | null;
  };
}
