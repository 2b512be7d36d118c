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
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendArchive } from '#/files/archive/send-archive.ts';
import type { Archives } from '#/files/archive/service.ts';
import { sendFile } from '#/files/bodies/send-file.ts';
import { sendThumbnail } from '#/files/content/thumbnails.ts';
import { directoryOf } from '#/files/previews/archives.ts';
import { officeTextOf } from '#/files/previews/office-text.ts';
import { isSecure } from '#/identity/sessions/session-cookies.ts';
import { asGuest } from '#/links/connections/guests.ts';
import { readCookie, writeCookie } from '#/platform/http/cookies.ts';
import { networkOf } from '#/platform/http/network.ts';
import { serve } from '#/platform/http/serve.ts';
import { passSeconds } from './passes.ts';
import { publicError } from './public-errors.ts';
import type { Visit, PublicShares } from './public-shares.ts';
import type { Weblinks } from './service.ts';
import { createUnderWay } from './under-way.ts';
import type { Visits } from './visits.ts';

/** Routes of `contract/weblinks.ts`: the owner's calls, and those of a share's visitors. */
export function weblinkRoutes(
  app: FastifyInstance,
  { weblinks, publicShares, visits, archives }: { weblinks: Weblinks; publicShares: PublicShares; visits: Visits; archives: Archives },
): void {
  const outward = createOutward();

  /** Runs a visitor's call, and ends it, including a running download, when the share no longer allows it. */
  async function visited<T>(
    weblinkId: string,
    { request, reply, signal }: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal },
    work: (visit: Visit, signal: AbortSignal) => Promise<T>,
    isDownload = false,
  ): Promise<T> {
    const visit = visitOf(request, weblinkId);
    const underWay = visits.begin(visit, isDownload);
    if (reply.raw.closed) underWay.release();
    else reply.raw.once('close', underWay.release);
    return outward(request, async () => {
      try {
        return await work(visit, AbortSignal.any([signal, underWay.signal]));
      } catch (error) {
        throw underWay.signal.aborted ? underWay.signal.reason : error;
      }
    });
  }

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
      !inline,
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
      true,
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
}

const cookieOf = (weblinkId: string): string => `weblink-${weblinkId}`;

const visitOf = ({ headers, ip }: FastifyRequest, weblinkId: string): Visit => ({
  weblinkId,
  pass: readCookie(headers.cookie, cookieOf(weblinkId)),
  network: networkOf(ip),
});

function givePass(reply: FastifyReply, weblinkId: string, pass: string | undefined): void {
  if (pass === undefined) return;
  const rule = { secure: isSecure(reply), httpOnly: true, maxAge: passSeconds, path: '/rest/weblink' };
  reply.header('set-cookie', writeCookie(cookieOf(weblinkId), pass, rule));
}

/**
 * Returns a function that runs a visitor's call: limits its connections of a link and the concurrent calls of a network, and hides the owner's
 * errors.
 */
function createOutward(): <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T> {
  const underWay = createUnderWay();
  return async (request, work) => {
    const network = networkOf(request.ip);
    try {
      return await underWay(network, () => asGuest(network, work));
    } catch (error) {
      throw publicError(error);
    }
  };
}
