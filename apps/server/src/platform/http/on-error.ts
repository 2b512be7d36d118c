import { AppError, appError } from '@sheaf/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The row of the error table for an error that another part of the server knows; undefined when it does not. */
type KnownRow = (error: unknown) => AppError | undefined;

/** Turns everything that fails in a request into a row of the error table; `knownRow` is asked first. */
export function answerErrors(app: FastifyInstance, knownRow: KnownRow = () => undefined): void {
  app.setErrorHandler((error, request, reply) => sendError(knownRow(error) ?? rowOf(error), error, request, reply));
}

/** Seconds after which a client may try again what is unavailable, where nothing better is known. */
const usualRetryAfter = '2';

/** Answers a path under /rest that no call has: 405 when it has another method, else 404. */
export async function answerUnknownCall(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const url = request.url.split('?')[0] ?? '';
  const allowed = (['GET', 'POST', 'PUT'] as const).filter((method) => app.hasRoute({ url, method }));
  if (allowed.length === 0) return sendError(appError('NOT_FOUND', {}), undefined, request, reply);
  return sendError(appError('METHOD_NOT_ALLOWED', {}), undefined, request, reply.header('allow', allowed.join(', ')));
}

function sendError(row: AppError, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const facts = { messageCode: row.messageCode, errorCode: row.errorCode, path: request.routeOptions.url ?? 'none' };
  // Nobody hears how a call ended that its client has left.
  if (row.status >= 500 && !reply.raw.destroyed) request.log.error({ ...facts, err: thrown }, 'call failed');
  else request.log.debug(facts, 'call refused');
  const seconds = row.details['seconds'] ?? (row.status === 503 ? usualRetryAfter : undefined);
  if ((row.status === 429 || row.status === 503) && seconds !== undefined) reply.header('retry-after', seconds);
  return reply
    .code(row.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(row.toAnswer()));
}

/** Fastify's own refusals (body too large, not JSON, unknown type) by their HTTP status; anything unforeseen is our fault. */
function rowOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return appError('DATABASE_FULL', {}, error);
  const status = isFastifyError(error) ? error.statusCode : undefined;
  if (status === 413) return appError('BODY_TOO_LARGE', {}, error);
  if (status !== undefined && status >= 400 && status < 500) return appError('MALFORMED_REQUEST', {}, error);
  return appError('UNEXPECTED', { code: '799' }, error);
}

/** Whether this machine's own disk has no room: sources report theirs as errors of the catalogue. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && 'statusCode' in error;
