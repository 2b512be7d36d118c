import type { Body, ByteRange } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { bodyHash, verified } from '../../kit/hash/content-hash.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { type AutodeskItem, DownloadAddress } from './api.ts';
import { type AutodeskClient, objectUrl } from './client.ts';

/** Minutes within which the download must start. */
const addressServes = 10;

/** Streams a file's newest version; verifies the hash when the whole file is read. */
export async function readFile(
  { api, store }: AutodeskClient,
  { entry, facts: { object } }: AutodeskItem,
  range: ByteRange | undefined,
  signal: AbortSignal,
): Promise<Body> {
  if (!object) throw new ConnectorError('unsupported', 'the bytes of this file do not lie at Autodesk');
  const headers = rangeHeader(range);
  const url = `${objectUrl(object)}/signeds3download`;
  // An object whose parts are not assembled yet is served by another Autodesk host.
  const query = { minutesExpiration: addressServes, 'public-resource-fallback': true };
  const told = await api.json(DownloadAddress, { method: 'GET', url, query, signal });
  if (told.url === undefined) throw new ConnectorError('unreachable', 'the file is not ready', { retryable: true });
  const response = await store.send({ method: 'GET', url: told.url, headers, signal, authorized: false, accepts: [416] });
  const facts = {
    ...(entry.etag !== undefined && { etag: entry.etag }),
    ...(entry.modified !== undefined && { modified: entry.modified }),
  };
  const body = partOf(response, range, facts);
  return response.status === 200 && range === undefined ? verified(body, told.sha1, bodyHash('sha1')) : body;
}
