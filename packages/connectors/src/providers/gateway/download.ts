import type { Body, ByteRange, SmallFile } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { wirePath } from './api.ts';
import type { GatewayClient } from './client.ts';

/** Streams a file or a range of it. */
export async function readContent(client: GatewayClient, path: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
  const wanted = range && (range.start > 0 || range.end !== undefined) ? range : undefined;
  if (wanted?.end !== undefined && wanted.end <= wanted.start) throw new ConnectorError('badRange', 'an empty range');
  const headers = { ...(wanted && { range: `bytes=${wanted.start}-${wanted.end === undefined ? '' : wanted.end - 1}` }) };
  const response = await client.send({ method: 'GET', name: 'content', paths: { path }, headers, signal });
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(response.headers['content-range'] ?? '') ?? [];
  // The protocol requires ranges: accepting the whole file instead would transfer all of it each time.
  if (wanted ? response.status !== 206 || Number(start) !== wanted.start : response.status !== 200) {
    response.body().cancel();
    throw new ConnectorError('unexpected', 'the server sends another part than was asked for');
  }
  return response.body(factsOf(response, total ?? response.headers['content-length']));
}

/** Reads many small files in one response; the limit is the sum of their sizes. */
export async function readContents(client: GatewayClient, files: readonly SmallFile[], signal: AbortSignal): Promise<Body> {
  const body = files.map(({ path, size }) => `${size} ${wirePath(path)}\n`).join('');
  const response = await client.send({ method: 'POST', name: 'contents', headers: { 'content-type': 'text/plain' }, body, signal });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (Number(response.headers['content-length']) === size) return response.body({ size });
  response.body().cancel();
  throw new ConnectorError('unexpected', 'the server sends another number of bytes than was asked for');
}

function factsOf({ headers }: HttpResponse, size: string | undefined): Body['entry'] {
  const modified = Date.parse(headers['last-modified'] ?? '');
  return {
    ...(size !== undefined && { size: Number(size) }),
    ...(headers['etag'] !== undefined && { etag: headers['etag'] }),
    ...(!Number.isNaN(modified) && { modified: Math.floor(modified / 1000) }),
  };
}
