import { listBackups, makeBackup } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { BackupService } from './service.ts';

export function backupRoutes(app: FastifyInstance, backups: BackupService): void {
  serve(app, listBackups, ({ userId }) => backups.list(userId));
  serve(app, makeBackup, async ({ userId }) => ({ backup: await backups.make(userId) }));
}
