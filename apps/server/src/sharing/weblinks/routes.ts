import {
  archiveDirectoryWeblink,
  archiveWeblink,
  createWeblink,
  downloadWeblink,
  getWeblinks,
  listWeblink,
  officeTextWeblink,
  openWeblink,
  removeWeblink,
  thumbnailWeblink,
  updateWeblink,
} from '@sheaf/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendArchive } from '#/files/archive/send-archive.ts';
import type { Archives } from '#/files/archive/service.ts';
import { sendFile } from '#/files/bodies/send-file.ts';
import { sendThumbnail } from '#/files/content/thumbnails.ts';
import { directoryOf } from '#/files/previews/archives.ts';
import { officeTextOf } from '#/files/previews/office-text.ts';
import type { Uploads } from '#/files/uploads/service.ts';
import { isSecure } from '#/identity/sessions/session-cookies.ts';
import { writeCookie } from '#/platform/http/cookies.ts';
import { serve } from '#/platform/http/serve.ts';
import { passSeconds } from './passes.ts';
import type { PublicShares } from './public-shares.ts';
import type { Weblinks } from './service.ts';
import { visitorsUploadRoutes } from './upload-routes.ts';
import { cookieOf, createVisiting, visitOf } from './visiting-routes.ts';
import type { Visits } from './visits.ts';

interface Deps {
  readonly weblinks: Weblinks;
  readonly publicShares: PublicShares;
  readonly visits: Visits;
  readonly archives: Archives;
  readonly uploads: Uploads;
}

/** Routes of `contract/weblinks.ts`: the owner's calls, and those of a share's visitors. */
export function weblinkRoutes(app: FastifyInstance, { weblinks, publicShares, visits, archives, uploads }: Deps): void {
  const { outward, visited } = createVisiting(visits);

  serve(app, getWeblinks, ({ userId }) => weblinks.list(userId));
  serve(app, createWeblink, ({ userId, input, signal }) => weblinks.create(userId, input, signal));
  serve(app, updateWeblink, async ({ userId, input }) => {
    await weblinks.update(userId, input);
    return { status: 'ok' as const };
  });
  serve(app, removeWeblink, async ({ userId, input }) => {
    await weblinks.remove(userId, input.webLinkId);
    return {};
  });

  serve(app, openWeblink, ({ userId, input: { weblinkId, password }, request, reply, signal }) =>
    outward(request, async () => {
      const visit = visitOf(request, weblinkId);
      const openRequest = { ...visit, userId, address: request.ip, ...(password !== undefined && { password }) };
      const { opened, pass } = await publicShares.open(openRequest, signal);
      givePass(reply, weblinkId, pass);
      return opened;
    }),
  );
  serve(app, listWeblink, ({ input: { weblinkId, rTag: _tag, ...ask }, request, reply, signal: gone }) =>
    visited(weblinkId, { request, reply, signal: gone }, async (visit, signal) => {
      const { page, pass } = await publicShares.list(visit, ask, signal);
      givePass(reply, weblinkId, pass);
      return page;
    }),
  );
  serve(app, downloadWeblink, ({ input: { weblinkId, path = '', inline }, request, reply, signal: gone }) =>
    visited(
      weblinkId,
      { request, reply, signal: gone },
      async (visit, signal) => {
        const { file, viewOnly } = await publicShares.openFile(visit, { path, shown: inline, counts: request.method !== 'HEAD' }, signal);
        return sendFile(file, { inline, viewOnly }, { request, reply, signal });
      },
      inline ? 'look' : 'download',
    ),
  );
  serve(app, archiveWeblink, ({ input: { weblinkId, path = [''] }, request, reply, signal: gone }) =>
    visited(
      weblinkId,
      { request, reply, signal: gone },
      async (visit, signal) => {
        const items = await publicShares.openItems(visit, path, signal);
        return sendArchive(await archives.open(items, { takesLinks: false, signal }), request, reply);
      },
      'download',
    ),
  );
  serve(app, archiveDirectoryWeblink, ({ input: { weblinkId, path = '' }, request, reply, signal: gone }) =>
    visited(weblinkId, { request, reply, signal: gone }, async (visit, signal) =>
      directoryOf((await publicShares.openFile(visit, { path, shown: true }, signal)).file, signal),
    ),
  );
  serve(app, officeTextWeblink, ({ input: { weblinkId, path = '' }, request, reply, signal: gone }) =>
    visited(weblinkId, { request, reply, signal: gone }, async (visit, signal) =>
      officeTextOf((await publicShares.openFile(visit, { path, shown: true }, signal)).file, signal),
    ),
  );
  serve(app, thumbnailWeblink, ({ input: { weblinkId, path = '', size }, request, reply, signal: gone }) =>
    visited(weblinkId, { request, reply, signal: gone }, async (visit, signal) => {
      const picture = await publicShares.openThumbnail(visit, { path, size }, signal);
      return sendThumbnail(picture, request, reply);
    }),
  );
  visitorsUploadRoutes(app, { publicShares, uploads, visited });
}

function givePass(reply: FastifyReply, weblinkId: string, pass: string | undefined): void {
  if (pass === undefined) return;
  const rule = { secure: isSecure(reply), httpOnly: true, maxAge: passSeconds, path: '/rest/weblink' };
  reply.header('set-cookie', writeCookie(cookieOf(weblinkId), pass, rule));
}
