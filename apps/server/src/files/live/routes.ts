import { appError, folderEvents } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { callerOf, isSameOrigin } from '#/platform/http/session.ts';
import type { LiveStreams } from './service.ts';

/** Route of `contract/live.ts`. */
export function liveRoutes(app: FastifyInstance, streams: LiveStreams): void {
  serve(app, folderEvents, async ({ userId, session, input, request, reply }) => {
    // Another site could not read the stream, but it could use up those of the account.
    if (!isSameOrigin(request)) throw appError('INVALID_SESSION', {});
    const isSignedIn = async (): Promise<boolean> => (await callerOf(request))?.sessionId === session.sessionId;
    const stream = streams.open(userId, input.userLinkId, isSignedIn);
    // Proxies must neither keep nor change it: nginx reads the first header, others `no-transform` (RFC 9111, section 5.2.2.6).
    reply.header('x-accel-buffering', 'no').header('cache-control', 'no-store, no-transform').type('text/event-stream');
    return reply.send(stream);
  });
  app.addHook('preClose', async () => streams.close());
}
