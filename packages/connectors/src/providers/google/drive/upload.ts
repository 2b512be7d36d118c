import type { Readable } from 'node:stream';
import type { WriteOptions } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError } from '../../../core/error.ts';
import { retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import { assertSame, bodyHash } from '../../../kit/hash/content-hash.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { type UploadSizes, plainType, relatedParts, uploadToGoogle } from '../apis/google-upload.ts';
import { DriveFile, fileFields } from './api.ts';
import type { DriveClient } from './client.ts';
import { discard } from './discarding.ts';

/** Destination of an upload: a new file or an existing one. */
export type Destination = { readonly parent: string; readonly name: string } | { readonly id: string };

/**
 * Stores a body as a new file or as a file's newest version; returns Drive's metadata. Verifies Drive's hash: a damaged new file or version
 * is deleted, so that the previous version is current again.
 */
export async function upload(
  client: DriveClient,
  to: Destination,
  body: Readable,
  ask: WriteOptions,
  sizes?: UploadSizes,
): Promise<DriveFile> {
  const { api } = client;
  const { signal, size } = ask;
  const mimeType = plainType(ask.mimeType);
  const isNew = !('id' in to);
  const metadata = metadataOf(to, ask);
  const target = { ...targetOf(client, to), signal };
  const query = { supportsAllDrives: true, fields: fileFields };
  const { algorithm } = client;
  const hash = bodyHash(algorithm)(size);
  const answer = await uploadToGoogle(body, {
    api,
    signal,
    hash,
    ...(size !== undefined && { size }),
    ...(sizes && { sizes }),
    async whole(bytes) {
      const parts = relatedParts(metadata, mimeType, bytes);
      const headers = { 'content-type': parts.type };
      const response = await api.send({ ...target, query: { ...query, uploadType: 'multipart' }, headers, body: parts.body });
      return response.text();
    },
    begin: () => beginSession(client, to, ask),
  });
  const stored = parseJson(DriveFile, answer);
  client.learn(stored);
  try {
    assertSame(await hash.digest(), algorithm === 'sha1' ? stored.sha1Checksum : stored.md5Checksum);
  } catch (error) {
    await takeBack(client, stored, isNew, error);
    throw error;
  }
  return stored;
}

type FileOptions = Pick<WriteOptions, 'mimeType' | 'modified' | 'signal' | 'size'>;

const metadataOf = (to: Destination, { mimeType, modified }: FileOptions) => ({
  ...(!('id' in to) && { name: to.name, parents: [to.parent] }),
  // Without a type Drive detects one.
  ...(mimeType !== undefined && { mimeType: plainType(mimeType) }),
  ...(modified !== undefined && { modifiedTime: new Date(modified * 1000).toISOString() }),
});

const targetOf = ({ uploads }: DriveClient, to: Destination) =>
  'id' in to ? { method: 'PATCH', url: `${uploads}/${encodeURIComponent(to.id)}` } : { method: 'POST', url: uploads };

/** Begins a resumable upload and returns its URL. */
export async function beginSession(client: DriveClient, to: Destination, options: FileOptions): Promise<string> {
  const { mimeType, size, signal } = options;
  const response = await client.api.send({
    ...targetOf(client, to),
    query: { supportsAllDrives: true, fields: fileFields, uploadType: 'resumable' },
    headers: {
      ...(mimeType !== undefined && { 'x-upload-content-type': plainType(mimeType) }),
      ...(size !== undefined && { 'x-upload-content-length': String(size) }),
    },
    json: metadataOf(to, options),
    signal,
  });
  await response.discard();
  return response.headers['location'] ?? '';
}

/** Deletes a new file or a file's version: https://developers.google.com/drive/api/reference/rest/v3/revisions/delete */
export async function takeBack(
  client: DriveClient,
  { id, headRevisionId = '' }: DriveFile,
  isNew: boolean,
  reason: unknown,
): Promise<void> {
  const signal = AbortSignal.timeout(deadlines.aside);
  const url = `/drive/v3/files/${encodeURIComponent(id)}/revisions/${encodeURIComponent(headRevisionId)}`;
  try {
    await (isNew ? discard(client, id) : retryWhileBusy(signal, () => client.api.done({ method: 'DELETE', url, signal })));
  } catch (error) {
    throw new ConnectorError('damaged', 'damaged bytes were stored and are still there', { cause: new AggregateError([reason, error]) });
  }
}
