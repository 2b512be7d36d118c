import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import type { PutOptions, StoredObject } from '../../kit/object-store/object-store.ts';
import { keptFor, putAtFreeKey } from '../../kit/object-store/other-name.ts';
import { type Part, type PartSizes, cutBody, defaultPartSizes } from '../../kit/object-store/upload-parts.ts';
import { blockList, objectOfHeaders, timeHeaders } from './api.ts';
import type { AzureClient } from './client.ts';

/** Put Blob accepts 5000 MiB, a blob 50,000 blocks: https://learn.microsoft.com/azure/storage/blobs/scalability-targets */
export const azurePartSizes: PartSizes = { ...defaultPartSizes, single: 5000 * 1024 ** 2, mostParts: 50_000 };

/** Uncommitted blocks belong to the blob, not to an upload: the ids of two uploads must differ, and all must have the same length. */
export const newUpload = (): string => randomBytes(8).toString('hex');

/** Returns the id of an upload's block: its index, or a word of five letters. */
export const blockId = (upload: string, block: number | string): string =>
  Buffer.from(`${upload}-${String(block).padStart(5, '0')}`).toString('base64');

/** Assembles the blob from these blocks. */
export const commit = (
  client: AzureClient,
  blob: string,
  ids: readonly string[],
  ask: PutOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> => {
  const type: Record<string, string> = ask.mimeType === undefined ? {} : { 'x-ms-blob-content-type': ask.mimeType };
  const headers = { ...type, ...timeHeaders(ask.fileTime), ...condition(ask), ...more, 'content-type': 'application/xml' };
  return client.send({ method: 'PUT', blob, query: { comp: 'blocklist' }, headers, body: blockList(ids), signal: ask.signal });
};

/**
 * Uploads one blob: in one request when its length is known and within the limit, otherwise in blocks. The blob changes only after all of
 * it has arrived; the service discards uncommitted blocks after a week.
 */
export const createUpload = (client: AzureClient, sizes: PartSizes) => {
  const putWhole = (blob: string, part: Part, ask: PutOptions): Promise<HttpResponse> => {
    const type: Record<string, string> = ask.mimeType === undefined ? {} : { 'content-type': ask.mimeType };
    const headers = { 'x-ms-blob-type': 'BlockBlob', ...type, ...timeHeaders(ask.fileTime), ...condition(ask) };
    return client.send({ method: 'PUT', blob, headers, ...part, signal: ask.signal });
  };

  const putBlocks = async (
    blob: string,
    parts: AsyncIterable<Part>,
    ask: PutOptions,
  ): Promise<{ response: HttpResponse; size: number }> => {
    const upload = newUpload();
    const ids: string[] = [];
    let size = 0;
    for await (const part of parts) {
      const blockid = blockId(upload, ids.length);
      const answer = await client.send({ method: 'PUT', blob, query: { comp: 'block', blockid }, ...part, signal: ask.signal });
      await answer.discard();
      ids.push(blockid);
      size += part.size;
    }
    const response = await commit(client, blob, ids, ask);
    return { response, size };
  };

  const put = async (key: string, body: Readable, ask: PutOptions): Promise<Stored> => {
    const cut = await cutBody(body, ask, keptFor(ask, sizes));
    if (!('whole' in cut)) return { key, ...(await putBlocks(key, cut.parts, ask)) };
    const placed = await putAtFreeKey(key, cut.whole, ask, (at) => putWhole(at, cut.whole, ask));
    return { key: placed.key, response: placed.result, size: cut.whole.size, md5: placed.result.headers['content-md5'] };
  };

  return async (first: string, body: Readable, ask: PutOptions): Promise<StoredObject> => {
    const { key, response, size, md5 } = await put(first, body, ask);
    await response.discard();
    const { etag = '', 'last-modified': modified = '' } = response.headers;
    const stored = objectOfHeaders(key, {
      etag,
      'last-modified': modified,
      ...timeHeaders(ask.fileTime),
      'content-length': String(size),
      ...(md5 !== undefined && { 'content-md5': md5 }),
    });
    if (!stored) throw new ConnectorError('unexpected', 'an upload became a directory');
    return { ...stored, ...(ask.mimeType !== undefined && { mimeType: ask.mimeType }) };
  };
};

interface Stored {
  readonly key: string;
  readonly response: HttpResponse;
  readonly size: number;
  /** The MD5 computed by the service; absent for a blob of blocks. */
  readonly md5?: string | undefined;
}

const condition = ({ ifAbsent }: PutOptions): Record<string, string> => (ifAbsent ? { 'if-none-match': '*' } : {});
