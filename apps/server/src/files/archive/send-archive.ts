import { appError } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rangeOf } from '#/files/bodies/byte-range.ts';
import { contentDisposition } from '#/files/bodies/content-disposition.ts';
import { sendBody, startAnswer } from '#/files/bodies/send-body.ts';
import { isRangeOfSame, isUnchanged } from '#/files/bodies/validators.ts';
import type { Archive } from './service.ts';

/** Name in log lines about failures. */
const provider = 'Sheaf';

/** Sends an archive: whole, the rest of an interrupted download, or 304. */
export async function sendArchive(archive: Archive, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { headers } = request;
  const { known } = archive;
  const etag = known?.etag === undefined ? undefined : { etag: known.etag };
  reply.header('cache-control', 'private, no-cache');
  if (etag && isUnchanged(headers, etag)) {
    await archive.close();
    return reply.headers(etag).code(304).send();
  }
  const asked = known && etag && isRangeOfSame(headers, etag) ? rangeOf(headers.range, known.size) : undefined;
  if (asked === 'unsatisfiable') {
    await archive.close();
    reply.header('content-range', `bytes */${known?.size}`);
    throw appError('RANGE_NOT_SATISFIABLE', {});
  }
  // A server may answer a range with the whole; that is cheaper than reading everything before it only for its checksums.
  const range = asked && archive.canBegin(asked.start) ? asked : undefined;
  const length = range ? range.end - range.start : known?.size;
  const status = range ? 206 : 200;
  const head = {
    ...etag,
    'accept-ranges': etag ? 'bytes' : 'none',
    'content-type': 'application/zip',
    'content-disposition': contentDisposition('attachment', `${archive.name}.zip`),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    ...(length !== undefined && { 'content-length': length }),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end - 1}/${known?.size}` }),
  };
  if (request.method === 'HEAD') {
    await archive.close();
    startAnswer(reply, status, head).end();
    return reply;
  }
  await sendBody(archive.read(range), request, reply, { provider, status, head, ...(length !== undefined && { expected: length }) });
  return reply;
}
