import { type TransferKind, transferKinds } from '@sheaf/contract';
import type { Reading } from '#/platform/tracing/tracing.ts';

const results = ['done', 'failed', 'waiting', 'stopped'] as const;
/** How a run of a transfer ended; `waiting`: it tries again later; `stopped`: somebody paused or canceled it, or the process ends. */
export type RunResult = (typeof results)[number];

export type TransferMetrics = ReturnType<typeof createTransferMetrics>;

/** Units of the gauges of {@link createTransferMetrics}. */
export const transferUnits = { 'sheaf.transfers.running': '{transfer}' } as const;

/** Transfers between links as counted by this process: what runs, what was sent, how runs ended. Names no link, no file and no person. */
export function createTransferMetrics() {
  const labelsOf = (kind: TransferKind, result: RunResult): string => `kind="${kind}",result="${result}"`;
  // From 0 on: Prometheus sees no increase in a series that begins with 1.
  const running = new Map(transferKinds.map((kind) => [kind, 0]));
  const bytes = new Map(transferKinds.map((kind) => [kind, 0]));
  const ends = new Map(transferKinds.flatMap((kind) => results.map((result) => [labelsOf(kind, result), 0] as const)));
  const add = <Key>(to: Map<Key, number>, key: Key, number: number): void => void to.set(key, (to.get(key) ?? 0) + number);

  return {
    /** Begins a run; call the result once, when it has ended. */
    begin(kind: TransferKind): (result: RunResult) => void {
      add(running, kind, 1);
      return (result) => {
        add(running, kind, -1);
        add(ends, labelsOf(kind, result), 1);
      };
    },
    /** Counts bytes that go from one link to another through this process. */
    sent: (kind: TransferKind, count: number): void => add(bytes, kind, Math.max(0, count)),

    lines: (): string[] => [
      '# HELP sheaf_transfers_running Transfers that this process runs now.',
      '# TYPE sheaf_transfers_running gauge',
      ...[...running].map(([kind, count]) => `sheaf_transfers_running{kind="${kind}"} ${count}`),
      '# HELP sheaf_transfer_bytes_total Bytes of transfers that went through this process, those of retries included.',
      '# TYPE sheaf_transfer_bytes_total counter',
      ...[...bytes].map(([kind, count]) => `sheaf_transfer_bytes_total{kind="${kind}"} ${count}`),
      '# HELP sheaf_transfer_runs_total Ended runs of transfers: done, failed, waiting for another try, or stopped.',
      '# TYPE sheaf_transfer_runs_total counter',
      ...[...ends].map(([labels, count]) => `sheaf_transfer_runs_total{${labels}} ${count}`),
    ],

    readings: async (): Promise<Reading<keyof typeof transferUnits>[]> =>
      [...running].map(([kind, value]) => ({ name: 'sheaf.transfers.running', value, facts: { 'sheaf.transfer.kind': kind } })),
  };
}
