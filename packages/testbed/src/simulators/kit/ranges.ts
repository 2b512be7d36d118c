import type { Content } from './contents.ts';
import type { Reply } from './reply.ts';
import type { SimulatedRequest } from './request.ts';

interface Facts {
  readonly type?: string;
  /** With its quotes. */
  readonly etag?: string;
  readonly modified?: Date;
  readonly headers?: Readonly<Record<string, string>>;
  /** The provider's body for a range that lies behind the end. */
  readonly unsatisfiable?: Reply;
}

/** Answers with a file's bytes as RFC 9110 has it: Range (also of the last bytes), If-Range, If-None-Match, 206, 304 and 416. Several ranges at once give the whole. */
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

/** The bytes from `start` up to `end` that a Range header asks for; nothing when it is none that can be kept to, and then the whole is answered. */
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
 * What a Content-Range header of an upload says: `bytes 0-99/500`, `bytes 0-99/*` while the size is not known, and `bytes *` with `/500` to ask how far the upload
 * is. `end` is the byte after the last. Nothing when it is malformed.
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
