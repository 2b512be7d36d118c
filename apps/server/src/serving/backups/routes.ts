import { listBackups, makeBackup } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { BackupService } from './service.ts';

export function backupRoutes(app: FastifyInstance, backups: BackupService): void {
  serve(app, listBackups, ({ userId }) => backups.list(userId));
  serve(app, makeBackup, async ({ userId, session }) => {
    requireBrowser(session);
    return { backup: await backups.make(userId) };
  });
}
