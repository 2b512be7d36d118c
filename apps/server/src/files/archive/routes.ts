import { appError, archive, limits } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { type Links, openItem } from '#/files/items/open-item.ts';
import { serve } from '#/platform/http/serve.ts';
import { sendArchive } from './send-archive.ts';
import type { Archives } from './service.ts';

/** Route of the call in `contract/content.ts` that packs a user's items. */
export function archiveRoutes(app: FastifyInstance, { archives, links }: { archives: Archives; links: Links }): void {
  serve(app, archive, async ({ userId, input: { linkUri: uris }, request, reply, signal }) => {
    if (uris.length === 0) throw appError('MISSING_PARAMETER', {});
    if (uris.length > limits.archiveItems) throw appError('TOO_MANY_ITEMS', { most: String(limits.archiveItems) });
    const items = await Promise.all(uris.map((uri) => openItem(links, userId, uri)));
    return sendArchive(await archives.open(items, { takesLinks: true, signal }), request, reply);
  });
}
