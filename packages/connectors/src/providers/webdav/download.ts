import type { Body, ByteRange, Entry, ReadOptions } from '../../core/connector.ts';
import { ConnectorError, looksLikePage, wrongSize } from '../../core/error.ts';
import { httpDate } from '../../kit/http/http-date.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { cutOut } from '../../kit/http/part-of.ts';
import type { DavClient } from './client.ts';
import { statusError } from './errors.ts';
import type { Places } from './places.ts';
import type { Resources } from './resources.ts';

/** Streams a file or a range of it; when the server ignores ranges (RFC 9110, section 14.2), the range is cut out of the whole file. */
export function createDownload(client: DavClient, places: Places, resources: Resources) {
  async function requireFile(file: string, signal: AbortSignal): Promise<Entry> {
    const entry = file === '/' ? undefined : await resources.stat(file, signal);
    if (entry?.kind !== 'file') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    return entry;
  }

  async function read(file: string, { range, known, signal }: ReadOptions): Promise<Body> {
    if (file === '/') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    const wanted = range && (range.start > 0 || range.end !== undefined) ? range : undefined;
    if (wanted?.end !== undefined && wanted.end <= wanted.start) throw new ConnectorError('badRange', 'an empty range');
    // GET alone is not reliable: a login page, a proxy's notice or a folder's index also have status 200.
    const size = known?.size ?? (await requireFile(file, signal)).size;
    const headers = { ...(wanted && { range: `bytes=${wanted.start}-${wanted.end === undefined ? '' : wanted.end - 1}` }) };
    const response = await client.send({ method: 'GET', path: places.address(file, 'file'), headers, signal });
    if (response.status === 206 && wanted) return response.body(part(response, wanted));
    if (response.status !== 200) {
      await response.discard();
      if (response.status < 400 || [403, 405, 501].includes(response.status)) await requireFile(file, signal);
      throw statusError(response.status, response.headers);
    }
    const told = sizeOf(response);
    const differs = size !== undefined && told !== undefined && told !== size;
    if (known?.size !== undefined && (differs || (mayBePage(response) && told === undefined))) {
      // Cancelled first: a call that holds one connection must not wait for another.
      response.body().cancel();
      return read(file, { signal, ...(range && { range }) });
    }
    if (differs) {
      response.body().cancel();
      throw wrongSize(told, size, looksLikePage(file, facts(response)));
    }
    const body = response.body(facts(response));
    return wanted ? cutOut(body, wanted) : body;
  }
  return read;
}

/** Some servers answer for a folder with an HTML index, which lacks all headers of a file. */
const mayBePage = ({ headers }: HttpResponse): boolean =>
  headers['content-type']?.startsWith('text/html') === true && headers['last-modified'] === undefined;

function sizeOf({ headers }: HttpResponse): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function facts(response: HttpResponse): Body['entry'] {
  const { headers } = response;
  const told = headers['last-modified'];
  const modified = told === undefined ? undefined : httpDate(told);
  const size = sizeOf(response);
  return {
    ...(headers['etag'] !== undefined && { etag: headers['etag'] }),
    ...(modified !== undefined && { modified }),
    ...(size !== undefined && { size }),
    ...(headers['content-type'] !== undefined && { mimeType: headers['content-type'] }),
  };
}

/** Reads the entry from a partial response, whose own length is not the file's. */
function part(response: HttpResponse, wanted: ByteRange): Body['entry'] {
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(response.headers['content-range'] ?? '') ?? [];
  if (Number(start) !== wanted.start) {
    response.body().cancel();
    throw new ConnectorError('unexpected', 'the server sends another part than was asked for');
  }
  const { size: _length, ...others } = facts(response);
  return { ...others, ...(total !== undefined && total !== '*' && { size: Number(total) }) };
}
