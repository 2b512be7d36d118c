import { Readable } from 'node:stream';
import { exportAudit, listAudit } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { contentDisposition } from '#/files/bodies/content-disposition.ts';
import { serve } from '#/platform/http/serve.ts';
import type { Audit } from './service.ts';

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

export function auditRoutes(app: FastifyInstance, audit: Audit): void {
  serve(app, listAudit, ({ userId, input }) => audit.list(userId, input));
  serve(app, exportAudit, async ({ userId, input: { format, ...ref }, reply }) => {
    const text = await audit.export(userId, ref, format);
    const day = new Date().toISOString().slice(0, 10);
    reply.type(types[format]).header('content-disposition', contentDisposition('attachment', `sheaf-activity-${day}.${format}`));
    return reply.send(Readable.from(text));
  });
}
