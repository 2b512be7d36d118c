import { AppError, appError, errorTable } from '@sheaf/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isServed, routeOf } from './call-table.ts';

/** Maps another area's error to an error of the catalogue; undefined when it is not one of its errors. */
type KnownRow = (error: unknown) => AppError | undefined;

/** Maps every failure of a request to an error of the catalogue; asks `knownRow` first. */
export function answerErrors(app: FastifyInstance, knownRow: KnownRow = () => undefined): void {
  app.setErrorHandler((error, request, reply) => sendError(knownRow(error) ?? rowOf(error), error, request, reply));
}

const unexpected = errorTable.UNEXPECTED.code;
/** Default Retry-After in seconds. */
const usualRetryAfter = '2';

/** Answers an unknown path under /rest: 405 when a call has it with another method, else 404. */
export async function answerUnknownCall(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const url = request.url.split('?')[0] ?? '';
  const allowed = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => isServed(app, method, url));
  if (allowed.length === 0) return sendError(appError('NOT_FOUND', {}), undefined, request, reply);
  return sendError(appError('METHOD_NOT_ALLOWED', {}), undefined, request, reply.header('allow', allowed.join(', ')));
}

function sendError(row: AppError, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const facts = {
    messageCode: row.messageCode,
    errorCode: row.errorCode,
    path: routeOf(request) ?? 'none',
    ...serviceRequestOf(thrown),
  };
  // No log line when the client has left: nobody sees that answer.
  if (row.status >= 500 && !reply.raw.destroyed) request.log.error({ ...facts, err: thrown }, 'call failed');
  else request.log.debug(facts, 'call refused');
  const seconds = row.details['seconds'] ?? (row.status === 503 ? usualRetryAfter : undefined);
  if ((row.status === 429 || row.status === 503) && seconds !== undefined) reply.header('retry-after', seconds);
  // Who reports an error that we do not know can say which one it was: the log has it under this id.
  const answer = row.errorCode === unexpected ? { ...row.toAnswer(), requestId: request.id } : row.toAnswer();
  return reply
    .code(row.status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer));
}

/** The id under which a linked service knows the request that it refused (connectors' layer `trace`). */
function serviceRequestOf(thrown: unknown): { serviceRequestId?: unknown } {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if ('serviceRequestId' in error) return { serviceRequestId: error.serviceRequestId };
  return {};
}

/** Maps Fastify's own refusals (body too large, not JSON, unknown type) by their HTTP status; any other error is INTERNAL. */
function rowOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return appError('DATABASE_FULL', {}, error);
  const status = isFastifyError(error) ? error.statusCode : undefined;
  if (status === 413) return appError('BODY_TOO_LARGE', {}, error);
  if (status !== undefined && status >= 400 && status < 500) return appError('MALFORMED_REQUEST', {}, error);
  return appError('UNEXPECTED', { code: '799' }, error);
}

/** Whether the local disk is full; sources report theirs as errors of the catalogue. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && 'statusCode' in error;
