import { type AppError, appError } from '@sheaf/contract';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Passes } from './passes.ts';
import type { Visit } from './public-shares.ts';
import type { WeblinkRow, WeblinkStore } from './store.ts';

interface Deps {
  readonly store: Pick<WeblinkStore, 'findOpen'>;
  readonly passes: Pick<Passes, 'wasIssued'>;
  /** Starts a background task. */
  readonly later: Background['start'];
  readonly now: Clock;
}

/** Milliseconds between two checks of the shares of running calls: an expired share, or a disabled owner, causes no event. */
const lookEvery = 5000;

/** What a visitor's call is for: a download takes bytes to be kept, in contrast to those that are shown. */
export type VisitKind = 'look' | 'download' | 'upload';

/** A visitor's running call. */
interface UnderWay extends Visit {
  readonly kind: VisitKind;
  readonly end: AbortController;
}

export type Visits = ReturnType<typeof createVisits>;

/** Running calls of visitors, including downloads, so that they end together with the right to them. */
export function createVisits({ store, passes, later, now }: Deps) {
  const underWay = new Map<string, Set<UnderWay>>();
  let looking: NodeJS.Timeout | undefined;

  /** Why a visitor may no longer use the share; undefined while they may. A running call is not ended by its pass's expiry. */
  function refusalOf(share: WeblinkRow | undefined, { pass, kind }: UnderWay): AppError | undefined {
    if (!share) return appError('WEBLINK_GONE', {});
    if (kind === 'download' && share.viewOnly === 1) return appError('WEBLINK_VIEW_ONLY', {});
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
    /**
     * Call before the share is read, so that no change of it is missed, and `release` after the answer. The signal ends the call; its reason is the
     * AppError to answer with.
     */
    begin(visit: Visit, kind: VisitKind = 'look'): { readonly signal: AbortSignal; readonly release: () => void } {
      const one: UnderWay = { ...visit, kind, end: new AbortController() };
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

    /** Ends calls that the share's current state no longer allows; without an id checks all shares. */
    recheck: (weblinkId?: string): Promise<void> => (weblinkId === undefined ? recheckAll() : recheckOne(weblinkId)),
  };
}
