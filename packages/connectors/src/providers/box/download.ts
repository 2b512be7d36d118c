import type { Body, ByteRange } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { bodyHash, unlessReplaced, verified } from '../../kit/hash/content-hash.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import type { Node } from './api.ts';
import type { BoxClient } from './client.ts';
import { notYet } from './errors.ts';

/**
 * Streams a file or a range of it. For a whole file, requests the hash first and verifies it. Box redirects to another host, which gets no
 * token; a file that is still being prepared is requested again.
 */
export async function readFile(client: BoxClient, { id, entry }: Node, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
  const isWhole = rangeHeader(range)['range'] === undefined;
  const fresh = isWhole ? await client.get('file', id, signal) : undefined;
  const response = await readContent(client, { id }, range, signal);
  const body = partOf(response, range, fresh?.entry ?? entry);
  if (!fresh) return body;
  const { sha1 } = fresh.facts;
  return unlessReplaced(verified(body, sha1, bodyHash('sha1')), async () => (await client.get('file', id, signal)).facts.sha1 === sha1);
}

/** Requests the bytes of a file, or of an earlier version: https://developer.box.com/reference/get-files-id-content */
export function readContent(
  client: BoxClient,
  { id, versionId }: { readonly id: string; readonly versionId?: string },
  range: ByteRange | undefined,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const query = versionId === undefined ? {} : { version: versionId };
  const headers = rangeHeader(range);
  return retryWhileBusy(signal, () => ready(client.api.send({ method: 'GET', url: `/files/${id}/content`, query, headers, signal })));
}

/** Edge lengths of Box's thumbnails. https://developer.box.com/reference/get-files-id-thumbnail-id */
const smallest = 32;
const largest = 320;

/** Returns a thumbnail of the file; one that is still being generated is requested again. */
export async function readThumbnail(client: BoxClient, { id }: Node, size: number, signal: AbortSignal): Promise<Body> {
  const side = Math.min(largest, Math.max(smallest, Math.round(size)));
  const query = { min_width: side, min_height: side };
  const response = await retryWhileBusy(signal, () =>
    ready(client.api.send({ method: 'GET', url: `/files/${id}/thumbnail.jpg`, query, signal, accepts: [302] })),
  );
  if (response.status === 200) return response.body({ mimeType: 'image/jpeg' });
  await response.discard();
  // The redirect leads to a generic icon for that file type.
  throw new ConnectorError('unsupported', 'Box makes no picture of the file');
}

async function ready(sent: Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await sent;
  if (response.status !== 202) return response;
  await response.discard();
  throw notYet(response);
}
