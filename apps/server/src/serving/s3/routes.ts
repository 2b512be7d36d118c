import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedLimiter, markHandled, readWhole } from '@sheaf/connectors';
import { AppError, appError } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendBody } from '#/files/bodies/send-body.ts';
import { discardRest, uploadBody } from '#/files/bodies/upload-body.ts';
import type { AppPasswords } from '#/identity/app-passwords/service.ts';
import type { Clock } from '#/platform/clock.ts';
import { acceptBody } from '#/platform/http/expect-continue.ts';
import { signalOf } from '#/platform/http/serve.ts';
import { programOf } from '#/serving/programs/basic.ts';
import { isPrivateWay } from '#/serving/programs/private-way.ts';
import type { Windows } from '#/serving/programs/windows.ts';
import { addressOf, bucketRoot, s3Root } from './address.ts';
import { S3Error, s3ErrorOf } from './errors.ts';
import type { S3Answer } from './request.ts';
import type { S3 } from './service.ts';
import { payloadOf } from './signing/payload.ts';
import { type Claim, checkClaim, claimOf, isSignedBy } from './signing/signature.ts';
import { errorElement, xmlHead } from './xml.ts';

interface Deps {
  readonly s3: S3;
  readonly windows: Windows;
  readonly appPasswords: Pick<AppPasswords, 'signedBy'>;
  /** Epoch seconds. */
  readonly now: Clock;
}

/** Most bytes of a request's XML: a thousand of the longest keys, or ten thousand parts. Milliseconds for its arrival. */
const longestXml = 4 * 1024 * 1024;
const xmlTimeout = 60_000;
/** Requests of one account whose XML is in memory at the same time; others wait. */
const xmlAtOnce = 8;
/** Milliseconds after which a client that waits is sent a blank, so that it does not give up. */
const patience = 10_000;

const rawOf = ({ originalUrl }: FastifyRequest): readonly [path: string, query: string] => {
  const at = originalUrl.indexOf('?');
  return at < 0 ? [originalUrl, ''] : [originalUrl.slice(0, at), originalUrl.slice(at + 1)];
};

/** S3 below /s3/ and /sheaf/, for programs that sign with the key of an app password. Cookies open nothing here, and there is no CORS. */
export function s3Routes(app: FastifyInstance, { s3, windows, appPasswords, now }: Deps): void {
  const reading = createKeyedLimiter(xmlAtOnce);
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async () => undefined);
    scope.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, app));

    async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (!isPrivateWay(request)) throw appError('HTTPS_NEEDED', {});
      const { method, headers, raw } = request;
      const [path, search] = rawOf(request);
      const query = new URLSearchParams(search);
      const signed = { method, path, query, headers };
      const claim: Claim = claimOf(signed);
      checkClaim(claim, headers, now());
      const device = { address: request.ip, usedBy: programOf(headers['user-agent'], 'S3') };
      const { program, secretAccessKey: secret } = await appPasswords.signedBy(
        claim.accessKeyId,
        (secretAccessKey) => isSignedBy(secretAccessKey, signed, claim),
        device,
      );
      const signal = AbortSignal.any([signalOf(reply), program.ended]);
      const open = () => {
        acceptBody(reply.raw);
        return uploadBody(raw);
      };
      const text = async (): Promise<string> => {
        if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return '';
        return reading.run(program.accountId, signal, wholeText);
      };
      const wholeText = async (): Promise<string> => {
        const payload = payloadOf({ headers, claim, secret, open });
        const giveUp = (): unknown => raw.destroy();
        const timer = setTimeout(giveUp, xmlTimeout).unref();
        closing.signal.addEventListener('abort', giveUp, { once: true });
        try {
          return (await readWhole(payload.body, longestXml, () => appError('BODY_TOO_LARGE', {}))).toString('utf8');
        } catch (error) {
          throw payload.failure() ?? error;
        } finally {
          clearTimeout(timer);
          closing.signal.removeEventListener('abort', giveUp);
        }
      };
      const window = windows.open(program);
      const answer = await s3.handle({ method, address: addressOf(path), query, headers, window, claim, secret, text, body: open, signal });
      return send(answer, request, reply);
    }

    for (const url of [s3Root, bucketRoot].flatMap((root) => [root, `${root}/*`]))
      scope.route({
        method: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
        url,
        handler: async (request, reply) => {
          try {
            return await handle(request, reply);
          } catch (error) {
            if (!reply.raw.headersSent) discardRest(request.raw, reply);
            throw error;
          }
        },
      });
  });
}

async function send({ status, headers = {}, body, file }: S3Answer, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const head = { 'x-amz-request-id': request.id, 'cache-control': 'private, no-cache', ...headers };
  if (file) {
    const { provider, expected } = file;
    await sendBody(file.body, request, reply, { provider, status, head, ...(expected !== undefined && { expected }) });
    return reply;
  }
  if (request.method === 'HEAD' && body === undefined && reply.raw.writable) {
    // Fastify would replace the Content-Length by that of the empty body.
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...head }))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(status).end();
    return reply;
  }
  reply.code(status).headers(head);
  if (body === undefined) return reply.send();
  reply.type('application/xml; charset=utf-8');
  if (typeof body === 'string') return reply.send(body);
  void markHandled(body);
  const waited = new AbortController();
  const first = await Promise.race([body, sleep(patience, undefined, { signal: waited.signal, ref: false })]).finally(() => waited.abort());
  if (first !== undefined) return reply.send(first);
  return reply.send(Readable.from(slowly(body, request), { objectMode: false }));
}

/** Sends blanks until the document is ready, as S3 does for long requests. The status is out by then, so that a failure is in the document. */
async function* slowly(body: Promise<string>, request: FastifyRequest): AsyncGenerator<string> {
  yield xmlHead;
  for (;;) {
    const timer = new AbortController();
    try {
      const text = await Promise.race([body, sleep(patience, undefined, { signal: timer.signal })]);
      yield text === undefined ? ' ' : text.slice(xmlHead.length);
      if (text !== undefined) return;
    } catch (error) {
      yield errorElement(refusalOf(error, request), rawOf(request)[0], request.id);
      return;
    } finally {
      timer.abort();
    }
  }
}

function refusalOf(error: unknown, request: FastifyRequest): S3Error {
  if (error instanceof S3Error) return error;
  if (error instanceof AppError) return s3ErrorOf(error);
  request.log.error({ err: error }, 'a request of S3 failed');
  return new S3Error('InternalError', undefined, error);
}

function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, app: FastifyInstance): FastifyReply | void {
  if (!(error instanceof S3Error) && !(error instanceof AppError)) return app.errorHandler(error as never, request, reply);
  const refusal = refusalOf(error, request);
  reply.code(refusal.status).headers({ 'x-amz-request-id': request.id, 'cache-control': 'no-store' });
  if (request.method === 'HEAD') return reply.send();
  return reply.type('application/xml; charset=utf-8').send(xmlHead + errorElement(refusal, rawOf(request)[0], request.id));
}
