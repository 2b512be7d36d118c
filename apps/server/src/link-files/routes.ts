import { Readable } from 'node:stream';
import { exportLinks, exportRclone, importRemote, readRclone } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/http/serve.ts';
import { requireBrowser } from '#/http/session.ts';
import type { Importing } from './importing.ts';
import type { LinkFiles } from './service.ts';

export function linkFileRoutes(app: FastifyInstance, { linkFiles, importing }: { linkFiles: LinkFiles; importing: Importing }): void {
  serve(app, exportLinks, async ({ userId, reply }) => {
    const text = await linkFiles.settings(userId);
    reply.type('application/json; charset=utf-8').header('content-disposition', 'attachment; filename="sheaf-links.json"');
    return reply.send(Readable.from(text));
  });
  serve(app, exportRclone, async ({ userId, session, input, reply }) => {
    requireBrowser(session);
    const text = await linkFiles.rclone(userId, input.password);
    return reply.type('text/plain; charset=utf-8').header('content-disposition', 'attachment; filename="rclone.conf"').send(text);
  });
  serve(app, readRclone, async ({ userId, input }) => ({ remotes: await importing.read(userId, input.config) }));
  serve(app, importRemote, ({ session, input, signal }) => importing.add(session, input, signal));
}
