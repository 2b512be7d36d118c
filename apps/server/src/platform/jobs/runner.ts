import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimStore } from './claim-store.ts';
import type { Endings } from './endings.ts';
import type { Run, createRuns } from './runs.ts';

interface Deps {
  readonly store: ClaimStore;
  readonly runs: ReturnType<typeof createRuns>;
  readonly endings: Endings;
  readonly kinds: readonly string[];
  /** Identifies this runner in its leases. */
  readonly holder: string;
  /** Concurrent jobs. */
  readonly slots: number;
  /** Milliseconds without a heartbeat after which others may claim a job. */
  readonly lease: number;
  /** Milliseconds between two polls when nothing wakes the runner. */
  readonly pollEvery: number;
  /** Tracks a run until it has ended. */
  readonly keep: (run: Promise<void>) => void;
  /** Called once a minute. */
  readonly onMinute: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** Slots reserved for jobs of high priority. */
const reserved = 2;
/** Milliseconds that handlers have to end after the abort. */
const grace = 3000;
/** Shortest wait before another poll, in milliseconds: due jobs may be locked while others claim them. */
const shortest = 25;
const minute = 60_000;

/** Claims due jobs, runs them and extends their leases. Sleeps until the next job is due, or until it is woken. */
export function createRunner(deps: Deps) {
  const { store, runs, endings, kinds, holder, slots, lease, pollEvery, keep, onMinute, onTrouble } = deps;
  const kept = Math.min(reserved, slots - 1);
  const running = new Map<string, Run>();
  let timer: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = true;
  /** performance.now() when the leases were last known to be valid. */
  let lastBeat = 0;
  let lastMinute = 0;

  function begin(run: Run): void {
    const { id } = run.row;
    running.set(id, run);
    keep(
      run.ended.then(() => {
        if (running.get(id) === run) running.delete(id);
        wake();
      }),
    );
  }

  /** Fills the free slots; returns milliseconds to wait, or undefined while all slots are taken. */
  async function fill(): Promise<number | undefined> {
    for (;;) {
      const limit = slots - running.size;
      if (limit <= 0) return undefined;
      const claimed = await store.claim({ kinds, holder, lease, limit, reserved: kept });
      // It may be a job that this process still runs under an expired lease: the epoch fences the old run.
      for (const row of claimed) begin(runs.begin(row));
      if (claimed.length === limit) continue;
      const due = await store.nextDue({ kinds, holder, highOnly: limit <= kept });
      return Math.max(shortest, Math.min(due ?? pollEvery, pollEvery));
    }
  }

  async function look(): Promise<void> {
    do {
      isWanted = false;
      clearTimeout(timer);
      let wait: number | undefined = pollEvery;
      try {
        if (performance.now() - lastMinute >= minute) {
          lastMinute = performance.now();
          await onMinute();
        }
        wait = await fill();
      } catch (error) {
        onTrouble(error);
      }
      if (!isStopped && wait !== undefined) timer = setTimeout(wake, wait).unref();
    } while (isWanted && !isStopped);
  }

  /** Polls for due jobs now. */
  function wake(): void {
    if (isStopped) return;
    isWanted = true;
    if (looking) return;
    looking = look().finally(() => (looking = undefined));
    keep(looking);
  }

  async function beat(): Promise<void> {
    if (running.size === 0) {
      lastBeat = performance.now();
      return;
    }
    const claims = [...running.values()].map(({ row }) => row);
    const begun = performance.now();
    try {
      const held = new Map((await store.extend(claims, lease)).map((one) => [one.id, one]));
      lastBeat = begun;
      for (const { id } of claims) {
        if (!held.has(id)) running.get(id)?.abort('lost');
        else if (held.get(id)?.isCancelled === 1) running.get(id)?.abort('cancelled');
      }
    } catch (error) {
      onTrouble(error);
      if (performance.now() - lastBeat > lease) for (const run of running.values()) run.abort('lost');
    }
  }

  function beatLater(): void {
    beating = setTimeout(() => {
      void beat().finally(() => {
        if (!isStopped || running.size > 0) beatLater();
      });
    }, lease / 3).unref();
  }

  return {
    start(): void {
      isStopped = false;
      lastBeat = performance.now();
      beatLater();
      wake();
    },
    wake,
    /** Aborts a job of this process at once; another process learns of it with its next heartbeat. */
    cancel: (id: string): void => running.get(id)?.abort('cancelled'),
    running: (): number => running.size,

    /** Claims nothing more, aborts the handlers, and returns what they could not finish. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      const left = [...running.values()];
      for (const run of left) run.abort('stopping');
      await Promise.race([Promise.all(left.map(({ ended }) => ended)), sleep(left.length > 0 ? grace : 0, undefined, { ref: false })]);
      const stuck = [...running.values()];
      await Promise.all(stuck.map(({ row }) => endings.end({ claim: row, lane: row.lane, outcome: { state: 'returned' } })));
      clearTimeout(beating);
    },
  };
}
