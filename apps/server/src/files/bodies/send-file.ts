import type { IncomingHttpHeaders } from 'node:http';
import type { Body, Entry } from '@sheaf/connectors';
import { type InputOf, appError, type download } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inlineTypeOf, mediaTypeOf } from '#/files/items/media-type.ts';
import { rangeOf } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import type { OpenFile } from './files.ts';
import { sendBody, startAnswer } from './send-body.ts';
import { type Validators, isRangeOfSame, isUnchanged, validatorsOf } from './validators.ts';

/** Policy for a file shown in its own window: no scripts and no requests, only its own styles. */
const inlinePolicy =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/** Types that the app's previews read themselves, besides those that browsers show. */
const previewed = /^application\/pdf\b|html|xml|svg|javascript|yaml|toml/i;

/** Sends a file's bytes: whole, a range, or 304. With `viewOnly` rejects with WEBLINK_VIEW_ONLY where no browser shows such a file. */
export async function sendFile(
  file: OpenFile,
  { inline, viewOnly = false }: Pick<InputOf<typeof download>, 'inline'> & { readonly viewOnly?: boolean },
  { request, reply, signal }: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal },
): Promise<FastifyReply> {
  const { headers } = request;
  const isHead = request.method === 'HEAD';
  const asksFirst = isHead || ['range', 'if-none-match', 'if-modified-since'].some((name) => headers[name] !== undefined);
  // A plain download uses the metadata of its own response: one round trip less.
  const known = asksFirst ? await file.stat(signal) : undefined;
  reply.header('cache-control', 'private, no-cache');
  const unchanged = (validators: Validators) => reply.headers(headersOf(validators)).code(304).send();
  if (known && isUnchanged(headers, validatorsOf(known))) return unchanged(validatorsOf(known));
  const { body, range } = isHead ? {} : await openPart(file, headers, known, signal);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${known?.size}`);
    throw appError('RANGE_NOT_SATISFIABLE', {});
  }
  const facts = known ? { ...known, ...(body?.entry.etag !== undefined && { etag: body.entry.etag }) } : factsOf(body);
  if (known && isUnchanged(headers, validatorsOf(facts))) {
    body?.cancel();
    return unchanged(validatorsOf(facts));
  }
  const length = range ? range.end - range.start : facts.size;
  if (body?.size !== undefined && length !== undefined && body.size !== length) {
    body.cancel();
    throw appError('SOURCE_CONFUSED', { provider: file.provider });
  }
  const mediaType = mediaTypeOf(file.name, facts.mimeType);
  const inlineType = inline ? inlineTypeOf(mediaType) : undefined;
  if (viewOnly && inlineType === undefined && !previewed.test(mediaType)) {
    body?.cancel();
    throw appError('WEBLINK_VIEW_ONLY', {});
  }
  const head = {
    ...headersOf(validatorsOf(facts)),
    'accept-ranges': 'bytes',
    'content-type': inlineType ?? mediaType,
    'content-disposition': contentDisposition(inlineType === undefined ? 'attachment' : 'inline', file.name),
    'content-security-policy': inlinePolicy,
    'x-content-type-options': 'nosniff',
    ...(length !== undefined && { 'content-length': length }),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end - 1}/${known?.size}` }),
  };
  const status = range ? 206 : 200;
  if (!body) {
    startAnswer(reply, status, head).end();
    return reply;
  }
  await sendBody(body, request, reply, { provider: file.provider, status, head, ...(length !== undefined && { expected: length }) });
  return reply;
}

/** Opens the requested range, or the whole file. Ranges need known metadata, and only GET has them: RFC 9110 section 14.2. */
async function openPart(
  file: OpenFile,
  headers: IncomingHttpHeaders,
  known: Entry | undefined,
  signal: AbortSignal,
): Promise<{ body?: Body; range?: ReturnType<typeof rangeOf> }> {
  const range = known?.size === undefined ? undefined : rangeOf(headers.range, known.size);
  if (known && range !== undefined) {
    const isSame = isRangeOfSame(headers, validatorsOf(known));
    if (isSame && range === 'unsatisfiable') return { range };
    if (range !== 'unsatisfiable' && (isSame || known.etag === undefined)) {
      const body = await file.read(signal, { range, known });
      // Some sources report the tag, which identifies the client's copy, only when they send.
      if (isSame || isRangeOfSame(headers, validatorsOf({ ...known, ...body.entry }))) return { body, range };
      body.cancel();
    }
  }
  return { body: await file.read(signal, known && { known }) };
}

/** Metadata of a file that is sent whole. */
function factsOf(body: Body | undefined): Body['entry'] {
  const size = body?.entry.size ?? body?.size;
  return { ...body?.entry, ...(size !== undefined && { size }) };
}

const headersOf = ({ etag, lastModified }: { etag?: string; lastModified?: string }) => ({
  ...(etag !== undefined && { etag }),
  ...(lastModified !== undefined && { 'last-modified': lastModified }),
});
