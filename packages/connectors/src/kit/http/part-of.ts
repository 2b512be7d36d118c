import type { Body, ByteRange } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { HttpResponse } from './http.ts';

/** The Range header for a part of a file (RFC 9110, section 14.2); no header for the whole file. Throws `badRange` for an empty range. */
export function rangeHeader(range: ByteRange | undefined): Readonly<Record<string, string>> {
  if (!isPart(range)) return {};
  if (range.end !== undefined && range.end <= range.start) throw new ConnectorError('badRange', 'an empty range');
  return { range: `bytes=${range.start}-${range.end === undefined ? '' : range.end - 1}` };
}

const isPart = (range: ByteRange | undefined): range is ByteRange => range !== undefined && (range.start > 0 || range.end !== undefined);

/**
 * Returns the bytes requested by {@link rangeHeader}, from a response with status 200, 206 or 416. A server without ranges may send the
 * whole file: the part is then cut out here. Throws `badRange` when the range begins past the end.
 */
export function partOf(response: HttpResponse, range: ByteRange | undefined, entry: Body['entry'] = {}): Body {
  if (response.status === 200) {
    const length = response.headers['content-length'];
    const body = response.body({ ...(length !== undefined && { size: Number(length) }), ...entry });
    return isPart(range) ? cutOut(body, range) : body;
  }
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(response.headers['content-range'] ?? '') ?? [];
  if (response.status === 206 && Number(start) === range?.start)
    return response.body({ ...entry, ...(total !== undefined && total !== '*' && { size: Number(total) }) });
  response.body().cancel();
  if (response.status === 416) throw new ConnectorError('badRange', 'the range begins past the end');
  throw new ConnectorError('unexpected', 'the server sends another part than was asked for');
}

/** Cuts the requested part out of a whole body; rejects with `badRange` when it begins past the end. */
export function cutOut(body: Body, { start, end = Number.MAX_SAFE_INTEGER }: ByteRange): Body {
  if (body.size !== undefined && start >= body.size) {
    body.cancel();
    throw new ConnectorError('badRange', 'the range begins past the end');
  }
  const reached = new ConnectorError('aborted', 'the part is whole');
  return {
    ...(body.size !== undefined && { size: Math.min(end, body.size) - start }),
    entry: body.entry,
    cancel: () => body.cancel(),
    async drain(take) {
      let position = 0;
      try {
        await body.drain(async (chunk) => {
          const piece = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position));
          position += chunk.byteLength;
          if (piece.byteLength > 0) await take(piece);
          // Stops here: the rest of the body is not needed.
          if (position >= end) throw reached;
        });
      } catch (error) {
        if (error !== reached) throw error;
      }
      if (position <= start) throw new ConnectorError('badRange', 'the range begins past the end');
    },
  };
}
