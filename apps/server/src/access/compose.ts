import type { Platform } from '#/platform/compose.ts';
import { createReachStore } from './reach-store.ts';
import { createReach } from './reach.ts';

/** Builds what opens links for their owners and for members. */
export const composeAccess = ({ db, now }: Platform, deps: Omit<Parameters<typeof createReach>[0], 'store' | 'now'>) =>
  createReach({ ...deps, store: createReachStore(db), now });
