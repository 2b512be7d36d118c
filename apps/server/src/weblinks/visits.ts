import { type AppError, appError } from '@sheaf/contract';
import type { Clock } from '#/clock.ts';
import type { Passes } from './passes.ts';
import type { WeblinkStore } from './store.ts';
import type { Visit } from './visiting.ts';

interface Deps {
  readonly store: Pick<WeblinkStore, 'findOpen'>;
  readonly passes: Pick<Passes, 'fits'>;
  readonly now: Clock;
}

/** A visitor's call under way. */
interface UnderWay extends Visit {
  readonly end: AbortController;
}

export type Visits = ReturnType<typeof createVisits>;

/** The calls of visitors under way, downloads included, so that they end with the right to them. */
export function createVisits({ store, passes, now }: Deps) {
  const underWay = new Map<string, Set<UnderWay>>();

  /** Why the visitor may no longer use the share; undefined while they may. */
  async function refusalOf({ weblinkId, pass }: Visit): Promise<AppError | undefined> {
    const share = await store.findOpen(weblinkId, now());
    if (!share) return appError('WEBLINK_GONE', {});
    return share.passwordHash === null || passes.fits(share, pass) ? undefined : appError('WEBLINK_PASSWORD_NEEDED', {});
  }

  return {
    /** To be called before the share is read, so that no change of it goes unnoticed; `release` when the answer is over. The signal ends the call, its reason is the AppError to answer with. */
    begin(visit: Visit): { readonly signal: AbortSignal; readonly release: () => void } {
      const one: UnderWay = { ...visit, end: new AbortController() };
      const all = underWay.get(visit.weblinkId) ?? new Set();
      underWay.set(visit.weblinkId, all.add(one));
      const release = (): void => {
        all.delete(one);
        if (all.size === 0 && underWay.get(visit.weblinkId) === all) underWay.delete(visit.weblinkId);
      };
      return { signal: one.end.signal, release };
    },

    /** Ends what the share, or without an id any share, as it is now no longer allows. */
    async recheck(weblinkId?: string): Promise<void> {
      const affected = weblinkId === undefined ? [...underWay.values()] : [underWay.get(weblinkId) ?? []];
      for (const visit of affected.flatMap((visits) => [...visits])) {
        const refusal = await refusalOf(visit);
        if (refusal) visit.end.abort(refusal);
      }
    },
  };
}
