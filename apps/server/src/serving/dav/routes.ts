import { Readable } from 'node:stream';
import { readWhole } from '@sheaf/connectors';
import { AppError, appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { sendFile } from '#/files/bodies/send-file.ts';
import { announcedSize, discardRest, uploadBody } from '#/files/bodies/upload-body.ts';
import type { AppPasswords } from '#/identity/app-passwords/service.ts';
import { acceptBody } from '#/platform/http/expect-continue.ts';
import { signalOf } from '#/platform/http/serve.ts';
import { isSameOrigin } from '#/platform/http/session.ts';
import { basicOf, programOf } from '#/serving/programs/basic.ts';
import { isPrivateWay } from '#/serving/programs/private-way.ts';
import type { Window, Windows } from '#/serving/programs/windows.ts';
import { type DavAnswer, DavError, errorBody, statusOf } from './answers.ts';
import { type Dav, davMethods } from './service.ts';

interface Deps {
  readonly dav: Dav;
  readonly windows: Windows;
  readonly appPasswords: Pick<AppPasswords, 'signIn'>;
}

/** Most bytes of a request's XML, and milliseconds for its arrival. */
const longestXml = 128 * 1024;
const xmlTimeout = 30_000;
const allowed = ['OPTIONS', 'GET', 'HEAD', ...davMethods].join(', ');
const hello =
  'This is a WebDAV server. Open this address in a file manager or a WebDAV client, with an app password of your Sheaf account.\n';

/** WebDAV below /dav/, for programs that sign in with an app password. Cookies and other sites' pages open nothing here. */
export function davRoutes(app: FastifyInstance, { dav, windows, appPasswords }: Deps): void {
  for (const method of davMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async () => undefined);
    scope.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, app));

    async function windowOf(request: FastifyRequest): Promise<Window> {
      if (!isSameOrigin(request)) throw new DavError(403);
      if (!isPrivateWay(request)) throw appError('HTTPS_NEEDED', {});
      const sent = basicOf(request.headers.authorization);
      if (!sent) throw appError('INVALID_CREDENTIALS', {});
      const device = { address: request.ip, usedBy: programOf(request.headers['user-agent'], 'WebDAV') };
      return windows.open(await appPasswords.signIn(sent.username, sent.password, device));
    }
    const pathOf = (request: FastifyRequest): string => request.originalUrl.split('?')[0] ?? '';
    const signalFor = (reply: FastifyReply, window: Window): AbortSignal => AbortSignal.any([signalOf(reply), window.program.ended]);

    for (const url of ['/dav', '/dav/*']) {
      scope.route({
        method: 'OPTIONS',
        url,
        handler: async (_request, reply) => reply.headers({ dav: '1, 2', allow: allowed, 'ms-author-via': 'DAV' }).code(200).send(),
      });
      scope.route({
        method: ['GET', 'HEAD'],
        url,
        handler: async (request, reply) => {
          const window = await windowOf(request);
          const signal = signalFor(reply, window);
          const file = await dav.file(pathOf(request), window, signal);
          if (!file) return reply.type('text/plain; charset=utf-8').send(hello);
          await sendFile(file, { inline: false }, { request, reply, signal });
          return reply;
        },
      });
      scope.route({
        method: [...davMethods] as HTTPMethods[],
        url,
        handler: async (request, reply) => {
          const { size } = announcedSize(request.headers);
          try {
            const window = await windowOf(request);
            const answer = await dav.handle({
              method: request.method as (typeof davMethods)[number],
              path: pathOf(request),
              headers: request.headers,
              window,
              ...(size !== undefined && { size }),
              text: () => textOf(request, reply),
              body: () => {
                acceptBody(reply.raw);
                return uploadBody(request.raw);
              },
              signal: signalFor(reply, window),
            });
            return send(answer, reply);
          } catch (error) {
            if (size !== 0) discardRest(request.raw, reply);
            throw error;
          }
        },
      });
    }
  });
}

/** The XML of a request. Throws BODY_TOO_LARGE, and ends the connection when it does not arrive in time. */
async function textOf({ raw }: FastifyRequest, reply: FastifyReply): Promise<string> {
  acceptBody(reply.raw);
  const timer = setTimeout(() => raw.destroy(), xmlTimeout).unref();
  try {
    const body = await readWhole(raw, longestXml, () => appError('BODY_TOO_LARGE', {}));
    return body.toString('utf8');
  } finally {
    clearTimeout(timer);
  }
}

function send({ status, headers = {}, body }: DavAnswer, reply: FastifyReply): FastifyReply {
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers });
  if (body === undefined) return reply.send();
  reply.type('application/xml; charset=utf-8');
  return reply.send(typeof body === 'string' ? body : Readable.from(body, { objectMode: false }));
}

function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, app: FastifyInstance): FastifyReply | void {
  if (!(error instanceof DavError) && !(error instanceof AppError)) return app.errorHandler(error as never, request, reply);
  const status = error instanceof DavError ? error.status : statusOf(error);
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Sheaf", charset="UTF-8"');
  if (status === 405) reply.header('allow', allowed);
  const seconds = error instanceof AppError ? error.details['seconds'] : undefined;
  if (seconds !== undefined && (status === 429 || status === 503)) reply.header('retry-after', seconds);
  const body = errorBody(error);
  reply.code(status).header('cache-control', 'no-store');
  return body === '' ? reply.send() : reply.type('application/xml; charset=utf-8').send(body);
}
