import { appError } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rangeOf } from '#/content/byte-range.ts';
import { contentDisposition } from '#/content/content-disposition.ts';
import { pour } from '#/content/pour.ts';
import { isRangeOfSame, isUnchanged } from '#/content/validators.ts';
import type { Archive } from './service.ts';

/** Whom failures on the way are told of: the log. */
const provider = 'Sheaf';

/** Answers an archive: whole, the rest of one that broke off, or that the client's copy is still right. */
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
  // A server may answer a range with the whole; that is cheaper than to read what lies before it only for its checksums.
  const range = asked && archive.canBegin(asked.start) ? asked : undefined;
  const length = range ? range.end - range.start : known?.size;
  reply.headers({
    ...etag,
    'accept-ranges': etag ? 'bytes' : 'none',
    'content-type': 'application/zip',
    'content-disposition': contentDisposition('attachment', `${archive.name}.zip`),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    ...(length !== undefined && { 'content-length': length }),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end - 1}/${known?.size}` }),
  });
  const { raw } = reply.hijack();
  for (const [header, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(header, value);
  raw.writeHead(range ? 206 : 200);
  if (request.method === 'HEAD') {
    await archive.close();
    raw.end();
    return reply;
  }
  try {
    await pour(archive.read(range), raw, { provider, ...(length !== undefined && { expected: length }) });
  } catch (error) {
    // The head is sent: all that is left is to break off, which pour has done.
    request.log.info({ err: error }, 'archive broken off');
  }
  return reply;
}
