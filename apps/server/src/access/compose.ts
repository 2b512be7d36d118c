import type { Platform } from '#/platform/compose.ts';
import { createAccessStore } from './access-store.ts';
import { createAccess } from './access.ts';

/** Builds what opens links for their owners and for members. */
export const composeAccess = ({ db, now }: Platform, deps: Omit<Parameters<typeof createAccess>[0], 'store' | 'now'>) =>
  createAccess({ ...deps, store: createAccessStore(db), now });
