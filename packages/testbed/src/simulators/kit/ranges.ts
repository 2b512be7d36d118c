import type { Content } from './contents.ts';
import type { Reply } from './reply.ts';
import type { SimulatedRequest } from './request.ts';

interface Facts {
  readonly type?: string;
  /** With its quotes. */
  readonly etag?: string;
  readonly modified?: Date;
  readonly headers?: Readonly<Record<string, string>>;
  /** The provider's body for a range past the end. */
  readonly unsatisfiable?: Reply;
}

/**
 * Responds with a file's bytes according to RFC 9110: Range (also suffix ranges), If-Range, If-None-Match, 206, 304 and 416. A request for several
 * ranges gets the whole file.
 */
export function answerContent({ headers: asked }: SimulatedRequest, content: Content, facts: Facts = {}): Reply {
  const { type = 'application/octet-stream', etag, modified, unsatisfiable } = facts;
  const { size } = content;
  const headers = {
    'content-type': type,
    'accept-ranges': 'bytes',
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { 'last-modified': modified.toUTCString() }),
    ...facts.headers,
  };
  const known = asked['if-none-match'];
  if (known !== undefined && etag !== undefined && (known === '*' || known.split(/\s*,\s*/).includes(etag)))
    return { status: 304, headers };
  const condition = asked['if-range'];
  const isSame = condition === undefined || condition === etag || condition === modified?.toUTCString();
  const range = asked.range !== undefined && isSame ? readRange(asked.range, size) : undefined;
  if (range === 'unsatisfiable')
    return { ...unsatisfiable, status: 416, headers: { ...unsatisfiable?.headers, 'content-range': `bytes */${size}` } };
  if (!range) return { status: 200, headers, stream: content.open(), size };
  const { start, end } = range;
  const partial = { ...headers, 'content-range': `bytes ${start}-${end - 1}/${size}` };
  return { status: 206, headers: partial, stream: content.open(start, end), size: end - start };
}

/** Parses a Range header to `start` and an exclusive `end`; undefined when it must be ignored, so that the whole file is sent. */
export function readRange(header: string, size: number): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '') return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}

/**
 * Parses the Content-Range header of an upload: `bytes 0-99/500`, `bytes 0-99/*` with an unknown size, and `bytes *` with `/500` as a status query.
 * `end` is exclusive. Undefined when malformed.
 */
export function readContentRange(
  header: string | undefined,
): { readonly start: number | undefined; readonly end: number | undefined; readonly size: number | undefined } | undefined {
  const found = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(header?.trim() ?? '');
  if (!found) return undefined;
  const [, first, last, whole] = found;
  const size = whole === undefined || whole === '*' ? undefined : Number(whole);
  if (first === undefined || last === undefined) return { start: undefined, end: undefined, size };
  const [start, end] = [Number(first), Number(last) + 1];
  return end <= start || (size !== undefined && end > size) ? undefined : { start, end, size };
}
