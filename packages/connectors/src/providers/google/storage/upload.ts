import type { Readable } from 'node:stream';
import { ConnectorError } from '../../../core/error.ts';
import { assertSame } from '../../../kit/hash/content-hash.ts';
import { crc32c } from '../../../kit/hash/crc32c.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import type { PutOptions, StoredObject } from '../../../kit/object-store/object-store.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { type UploadSizes, plainType, relatedParts, uploadToGoogle } from '../apis/google-upload.ts';
import { CloudObject, mustBeName, objectFields, timeMetadata, toObject } from './api.ts';
import { ofBucket } from './errors.ts';

interface Place {
  readonly api: Api;
  /** URL for uploads to the bucket. */
  readonly url: string;
  readonly sizes?: UploadSizes;
}

const metadataOf = (name: string, { mimeType, fileTime }: PutOptions) => ({
  name,
  contentType: plainType(mimeType),
  ...timeMetadata(fileTime),
});
const queryOf = ({ ifAbsent = false }: PutOptions) => ({ fields: objectFields, ...(ifAbsent && { ifGenerationMatch: 0 }) });

/** Begins a resumable upload and returns its URL; `announced` is the length at which the service completes it by itself. */
export async function beginSession(
  { api, url }: Pick<Place, 'api' | 'url'>,
  key: string,
  { announced, ...ask }: PutOptions & { readonly announced?: number },
): Promise<string> {
  mustBeName(key);
  const headers = {
    'x-upload-content-type': plainType(ask.mimeType),
    ...(announced !== undefined && { 'x-upload-content-length': String(announced) }),
  };
  const query = { ...queryOf(ask), uploadType: 'resumable' };
  const sent = { method: 'POST', url, query, headers, json: metadataOf(key, ask), signal: ask.signal, accepts: [400, 404] };
  const response = await ofUpload(await api.send(sent), 'badName');
  await response.discard();
  return response.headers['location'] ?? '';
}

/**
 * Uploads one object with its CRC-32C, so that the service refuses damaged bytes and keeps the existing object. What the service stores
 * regardless is verified afterwards.
 */
export const createUpload = ({ api, url, sizes }: Place) =>
  async function put(key: string, body: Readable, ask: PutOptions): Promise<StoredObject> {
    const { signal, size, mimeType } = ask;
    mustBeName(key);
    const contentType = plainType(mimeType);
    const metadata = metadataOf(key, ask);
    const query = queryOf(ask);
    const running = crc32c();
    let hash = '';
    const answer = await uploadToGoogle(body, {
      api,
      signal,
      hash: running,
      ...(size !== undefined && { size }),
      ...(sizes && { sizes }),
      async whole(bytes) {
        hash = running.digest();
        const parts = relatedParts({ ...metadata, crc32c: hash }, contentType, bytes);
        const headers = { 'content-type': parts.type };
        const sent = {
          method: 'POST',
          url,
          query: { ...query, uploadType: 'multipart' },
          headers,
          body: parts.body,
          signal,
          accepts: [400, 404],
        };
        return (await ofUpload(await api.send(sent), 'damaged')).text();
      },
      begin() {
        return beginSession({ api, url }, key, { ...ask, ...(size !== undefined && { announced: size }) });
      },
      seal() {
        hash = running.digest();
        return { 'x-goog-hash': `crc32c=${hash}` };
      },
    });
    const stored = parseJson(CloudObject, answer);
    assertSame(hash, stored.crc32c);
    return toObject(stored);
  };

/** Checks the response to the start of an upload. A refusal of the whole request concerns its hash, or its name where no hash was sent. */
async function ofUpload(response: HttpResponse, refused: 'badName' | 'damaged'): Promise<HttpResponse> {
  if (response.status !== 400) return ofBucket(response);
  await response.discard();
  throw new ConnectorError(refused, 'Cloud Storage refuses the upload');
}
