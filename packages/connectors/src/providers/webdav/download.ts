import type { Body, ByteRange, Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { httpDate } from '../../kit/http-date.ts';
import type { HttpResponse } from '../../kit/http.ts';
import { cutOut } from '../../kit/part-of.ts';
import type { DavClient } from './client.ts';
import { statusError } from './errors.ts';
import type { Places } from './places.ts';
import type { Resources } from './resources.ts';

/** Gets a file or a part of it; from a server that ignores ranges (RFC 9110, section 14.2), all of it, and the part is cut out here. */
export function createDownload(client: DavClient, places: Places, resources: Resources) {
  async function requireFile(file: string, signal: AbortSignal): Promise<Entry> {
    const entry = file === '/' ? undefined : await resources.stat(file, signal);
    if (entry?.kind !== 'file') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    return entry;
  }

  /** The answer to the same question once more, when the server has told of a file which is not what came before. */
  async function insteadOfPage(page: HttpResponse, file: string, signal: AbortSignal, ask: () => Promise<HttpResponse>) {
    // Let go first: whoever holds one connection must not wait for another.
    page.body().cancel();
    const { size } = await requireFile(file, signal);
    const response = await ask();
    const told = response.headers['content-length'];
    if (response.status === 200 && size !== undefined && told !== undefined && Number(told) !== size) {
      response.body().cancel();
      throw new ConnectorError('unexpected', `the server sends a page of ${told} bytes in place of a file of ${size}`);
    }
    return response;
  }

  return async function read(file: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
    if (file === '/') throw new ConnectorError('isAFolder', 'a folder has no bytes');
    const wanted = range && (range.start > 0 || range.end !== undefined) ? range : undefined;
    if (wanted?.end !== undefined && wanted.end <= wanted.start) throw new ConnectorError('badRange', 'an empty range');
    const headers = { ...(wanted && { range: `bytes=${wanted.start}-${wanted.end === undefined ? '' : wanted.end - 1}` }) };
    const ask = () => client.send({ method: 'GET', path: places.address(file, 'file'), headers, signal });
    const first = await ask();
    const response = first.status === 200 && mayBePage(first) ? await insteadOfPage(first, file, signal, ask) : first;
    if (response.status === 206 && wanted) return response.body(part(response, wanted));
    if (response.status !== 200) {
      await response.discard();
      if (response.status < 400 || [403, 405, 501].includes(response.status)) await requireFile(file, signal);
      throw statusError(response.status, response.headers);
    }
    const body = response.body(facts(response));
    return wanted ? cutOut(body, wanted) : body;
  };
}

/** Some servers answer a folder with a page that lists it: HTML, and nothing that a file would have. */
const mayBePage = ({ headers }: HttpResponse): boolean =>
  headers['content-type']?.startsWith('text/html') === true && headers['last-modified'] === undefined;

function facts({ headers }: HttpResponse): Body['entry'] {
  const told = headers['last-modified'];
  const modified = told === undefined ? undefined : httpDate(told);
  const size = headers['content-length'];
  return {
    ...(headers['etag'] !== undefined && { etag: headers['etag'] }),
    ...(modified !== undefined && { modified }),
    ...(size !== undefined && { size: Number(size) }),
    ...(headers['content-type'] !== undefined && { mimeType: headers['content-type'] }),
  };
}

/** The facts of a partial answer, whose own length is not the file's. */
function part(response: HttpResponse, wanted: ByteRange): Body['entry'] {
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(response.headers['content-range'] ?? '') ?? [];
  if (Number(start) !== wanted.start) {
    response.body().cancel();
    throw new ConnectorError('unexpected', 'the server sends another part than was asked for');
  }
  const { size: _length, ...others } = facts(response);
  return { ...others, ...(total !== undefined && total !== '*' && { size: Number(total) }) };
}
