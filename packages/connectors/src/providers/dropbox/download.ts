import { type Static, Type } from 'typebox';
import type { Body, ByteRange } from '../../core/connector.ts';
import { isKind } from '../../core/error.ts';
import { verified } from '../../kit/hash/content-hash.ts';
import { contentHash } from '../../kit/hash/dropbox-hash.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { Metadata, toEntry } from './api.ts';
import type { DropboxClient } from './client.ts';

/**
 * Dropbox's thumbnail sizes by longer side in pixels.
 * https://www.dropbox.com/developers/documentation/http/documentation#files-get_thumbnail_v2
 */
const thumbnailSizes = [
  [32, 'w32h32'],
  [64, 'w64h64'],
  [128, 'w128h128'],
  [256, 'w256h256'],
  [480, 'w480h320'],
  [640, 'w640h480'],
  [960, 'w960h640'],
  [1024, 'w1024h768'],
] as const;
const largest = 'w2048h1536';

const Exported = Type.Object({ file_metadata: Metadata });

/**
 * Streams a file or a range of it; verifies the content hash of a whole file. A cloud document arrives in Dropbox's export format. A path
 * `rev:…` identifies an earlier content: https://www.dropbox.com/developers/documentation/http/documentation#files-download
 */
export async function readFile(client: DropboxClient, path: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
  const headers = rangeHeader(range);
  let response: HttpResponse;
  try {
    response = await client.download('files/download', { path }, headers, signal);
  } catch (error) {
    if (!isKind(error, 'unsupported')) throw error;
    return readExport(client, path, range, signal);
  }
  const metadata = parseJson(Metadata, response.headers['dropbox-api-result'] ?? '');
  const body = partOf(response, range, factsOf(metadata));
  return headers['range'] === undefined ? verified(body, metadata.content_hash ?? undefined, contentHash) : body;
}

async function readExport(client: DropboxClient, path: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
  const response = await client.download('files/export', { path }, {}, signal);
  const { file_metadata } = parseJson(Exported, response.headers['dropbox-api-result'] ?? '');
  return partOf(response, range, factsOf({ ...file_metadata, is_downloadable: false }));
}

function factsOf(metadata: Static<typeof Metadata>): Body['entry'] {
  const { name: _name, kind: _kind, ...facts } = toEntry(metadata, 'file');
  return facts;
}

/** Returns a thumbnail of at least the requested size. */
export async function readThumbnail(client: DropboxClient, path: string, size: number, signal: AbortSignal): Promise<Body> {
  const [, name] = thumbnailSizes.find(([side]) => side >= size) ?? [0, largest];
  const arg = { resource: { '.tag': 'path', path }, format: 'jpeg', size: name, mode: 'bestfit' };
  const response = await client.download('files/get_thumbnail_v2', arg, {}, signal);
  return response.body({ mimeType: 'image/jpeg' });
}
