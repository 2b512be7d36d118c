import type { ProviderLoad } from '@sheaf/contract';
import type { Clock } from '../clock.ts';

/** What was counted in one minute. */
interface Minute {
  readonly minute: number;
  calls: number;
  failed: number;
  limited: number;
}

/** Minutes that count. */
const shown = 60;

/** Calls to each kind of storage in the last hour, as this process counts them, and how often a provider asked for fewer. Names no link and no person. */
export function createProviderLoad(now: Clock) {
  const sources = new Map<string, Minute[]>();
  const lastLimited = new Map<string, number>();

  function note(source: string, what: 'calls' | 'failed' | 'limited'): void {
    const minute = Math.floor(now() / 60);
    const minutes = (sources.get(source) ?? []).filter((one) => one.minute > minute - shown);
    const last = minutes.at(-1);
    const current = last?.minute === minute ? last : { minute, calls: 0, failed: 0, limited: 0 };
    if (current !== last) minutes.push(current);
    current[what] += 1;
    sources.set(source, minutes);
    if (what === 'limited') lastLimited.set(source, now());
  }

  return {
    /** Counts an ended call. */
    ended(source: string, hasFailed: boolean): void {
      note(source, 'calls');
      if (hasFailed) note(source, 'failed');
    },
    /** Counts a request that the provider refused because there were too many; it may be retried. */
    limited: (source: string): void => note(source, 'limited'),
    /** The busiest first. */
    lastHour(): ProviderLoad[] {
      const since = Math.floor(now() / 60) - shown;
      return [...sources]
        .map(([source, minutes]) => {
          const counted = minutes.filter(({ minute }) => minute > since);
          const sum = (what: 'calls' | 'failed' | 'limited'): number => counted.reduce((all, one) => all + one[what], 0);
          const at = lastLimited.get(source);
          const limited = sum('limited');
          return { source, calls: sum('calls'), failed: sum('failed'), limited, ...(limited > 0 && at !== undefined && { limitedAt: at }) };
        })
        .filter(({ calls, limited }) => calls + limited > 0)
        .toSorted((a, b) => b.calls - a.calls);
    },
  };
}
