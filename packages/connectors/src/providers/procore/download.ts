import type { Body, ByteRange } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { OneFile, type ProcoreItem, fileItem, isShown, newestOf } from './api.ts';
import { type ProcoreClient, placeOf } from './client.ts';

/** Streams a file's newest version. Its URL is short-lived and therefore requested for each read; Procore provides no hash to verify. */
export async function readFile(
  client: ProcoreClient,
  { facts }: ProcoreItem,
  range: ByteRange | undefined,
  signal: AbortSignal,
): Promise<Body> {
  const headers = rangeHeader(range);
  const { space, number } = facts;
  const { url, query } = placeOf(space, 'files', number);
  const request = { method: 'GET', url, query: { ...query, show_latest_version_only: true }, signal };
  const file = await client.json(OneFile, space.company, request);
  if (!isShown(file)) throw new ConnectorError('notFound', 'the file is in the recycle bin');
  const address = newestOf(file)?.url;
  if (!address) throw new ConnectorError('unexpected', 'Procore tells no address of the bytes');
  const response = await client.storage.send({ method: 'GET', url: address, headers, signal, authorized: false, accepts: [416] });
  return partOf(response, range, fileItem(file, space).entry);
}
