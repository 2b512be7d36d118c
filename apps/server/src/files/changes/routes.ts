import {
  binList,
  binPurge,
  binRestore,
  getBinSetting,
  listChanges,
  setBinDays,
  undoChange,
  versionList,
  versionRestore,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { createBins } from './bins.ts';
import type { Changes } from './service.ts';
import type { createFileVersions } from './versions.ts';

interface Services {
  readonly changes: Changes;
  readonly bins: ReturnType<typeof createBins>;
  readonly fileVersions: ReturnType<typeof createFileVersions>;
}

/** Routes of `contract/changes.ts`. */
export function changeRoutes(app: FastifyInstance, { changes, bins, fileVersions }: Services): void {
  serve(app, undoChange, ({ userId, input, signal }) => changes.undo(userId, input.undoId, signal));
  serve(app, listChanges, ({ userId, input }) => changes.list(userId, input));
  serve(app, binList, ({ userId, input, signal }) => bins.list(userId, input, signal));
  serve(app, binRestore, ({ userId, input, signal }) => bins.restore(userId, input, signal));
  serve(app, binPurge, ({ userId, input, signal }) => bins.purge(userId, input, signal));
  serve(app, versionList, ({ userId, input, signal }) => fileVersions.list(userId, input, signal));
  serve(app, versionRestore, ({ userId, input, signal }) => fileVersions.restore(userId, input, signal));
  serve(app, getBinSetting, ({ userId }) => bins.daysOf(userId));
  serve(app, setBinDays, ({ userId, input }) => bins.setDays(userId, input.days));
}
