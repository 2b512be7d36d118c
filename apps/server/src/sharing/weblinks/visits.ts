import { type AppError, appError } from '@sheaf/contract';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Passes } from './passes.ts';
import type { WeblinkRow, WeblinkStore } from './store.ts';
import type { Visit } from './visiting.ts';

interface Deps {
  readonly store: Pick<WeblinkStore, 'findOpen'>;
  readonly passes: Pick<Passes, 'wasIssued'>;
  /** Begins work that nobody waits for. */
  readonly later: Background['start'];
  readonly now: Clock;
}

/**
 * Milliseconds between two looks at the shares of calls under way: a share that expires, or whose owner's account is disabled, tells nobody of
 * it.
 */
const lookEvery = 5000;

/** A visitor's call under way. */
interface UnderWay extends Visit {
  readonly end: AbortController;
}

export type Visits = ReturnType<typeof createVisits>;

/** The calls of visitors under way, downloads included, so that they end with the right to them. */
export function createVisits({ store, passes, later, now }: Deps) {
  const underWay = new Map<string, Set<UnderWay>>();
  let looking: NodeJS.Timeout | undefined;

  /** Why a visitor may no longer use the share; undefined while they may. Whoever came in with a pass may finish what the pass is too old to begin. */
  function refusalOf(share: WeblinkRow | undefined, { pass }: Visit): AppError | undefined {
    if (!share) return appError('WEBLINK_GONE', {});
    return share.passwordHash === null || passes.wasIssued(share, pass) ? undefined : appError('WEBLINK_PASSWORD_NEEDED', {});
  }

  async function recheckOne(weblinkId: string): Promise<void> {
    const visits = [...(underWay.get(weblinkId) ?? [])];
    if (visits.length === 0) return;
    const share = await store.findOpen(weblinkId, now());
    for (const visit of visits) {
      const refusal = refusalOf(share, visit);
      if (refusal) visit.end.abort(refusal);
    }
  }

  async function recheckAll(): Promise<void> {
    const weblinkIds = [...underWay.keys()];
    for (const weblinkId of weblinkIds) await recheckOne(weblinkId);
  }

  return {
    /** To be called before the share is read, so that no change of it goes unnoticed; `release` when the answer is over. The signal ends the call, its reason is the AppError to answer with. */
    begin(visit: Visit): { readonly signal: AbortSignal; readonly release: () => void } {
      const one: UnderWay = { ...visit, end: new AbortController() };
      const all = underWay.get(visit.weblinkId) ?? new Set();
      underWay.set(visit.weblinkId, all.add(one));
      looking ??= setInterval(() => later('look whether shares have expired', recheckAll), lookEvery).unref();
      const release = (): void => {
        all.delete(one);
        if (all.size === 0 && underWay.get(visit.weblinkId) === all) underWay.delete(visit.weblinkId);
        if (underWay.size > 0) return;
        clearInterval(looking);
        looking = undefined;
      };
      return { signal: one.end.signal, release };
    },

    /** Ends what the share, or without an id any share, as it is now no longer allows. */
    recheck: (weblinkId?: string): Promise<void> => (weblinkId === undefined ? recheckAll() : recheckOne(weblinkId)),
  };
}
