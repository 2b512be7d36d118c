import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { LeftoverNote, Leftovers } from '../../core/leftovers.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parsePair } from '../../kit/object-store/leftover.ts';
import { completion } from './api.ts';
import type { S3Client, S3Request } from './client.ts';
import { etagIn, failureIn, isUnknownUpload, s3Error, uploadIdIn } from './errors.ts';

export interface MultipartOptions {
  readonly signal: AbortSignal;
  readonly leftovers: Leftovers;
  /** Headers of the object: type, metadata, storage class. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the completion, possibly with a precondition; by default it is sent unconditionally. */
  readonly complete?: (request: S3Request) => Promise<HttpResponse>;
}

/**
 * Creates an object from parts: `send` uploads or copies each with the query of its part number, from 1, and returns the etags in order.
 * The object appears when all parts are there; on failure the upload is aborted. Returns the headers of the last response with the object's
 * etag.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
export async function putInParts(
  client: S3Client,
  key: string,
  { signal, leftovers, headers, complete = client.send }: MultipartOptions,
  send: (query: (number: number) => Record<string, string>) => Promise<readonly string[]>,
): Promise<Record<string, string>> {
  const { uploadId, note } = await beginParts(client, key, { signal, leftovers, headers });
  try {
    const etags = await send((number) => ({ partNumber: String(number), uploadId }));
    const parts = etags.map((etag, index) => ({ number: index + 1, etag }));
    const made = await completeParts(complete, { key, uploadId, parts, signal });
    note.gone();
    return made;
  } catch (error) {
    await giveUp(client, { key, uploadId, note }, error);
    throw error;
  }
}

/** Begins an upload, noted until it is completed or aborted. */
export async function beginParts(
  client: S3Client,
  key: string,
  { signal, leftovers, headers }: Omit<MultipartOptions, 'complete'>,
): Promise<Begun> {
  const begun = await client.send({ method: 'POST', key, query: { uploads: '' }, headers, signal });
  const uploadId = uploadIdIn(await begun.text());
  if (uploadId === '') throw new ConnectorError('unexpected', 'an upload was begun without an id');
  const note = leftovers.note(JSON.stringify([key, uploadId]));
  await note.kept;
  return { key, uploadId, note };
}

/** Assembles the object from these parts; returns the headers of the response with the object's etag. */
export async function completeParts(
  send: (request: S3Request) => Promise<HttpResponse>,
  { key, uploadId, parts, signal }: UploadId & { readonly parts: Parameters<typeof completion>[0]; readonly signal: AbortSignal },
): Promise<Record<string, string>> {
  const done = await send({ method: 'POST', key, query: { uploadId }, body: completion(parts), signal, isLong: true });
  const answer = await done.text();
  // The response starts before the work is done, so that a 200 may contain an error.
  if (answer.includes('<Error>')) throw s3Error({ ...failureIn(answer), status: done.status });
  return { ...done.headers, etag: etagIn(answer) };
}

/** Aborts an upload. When that also fails, the error contains both failures. */
async function giveUp(client: S3Client, { key, uploadId, note }: Begun, reason: unknown): Promise<void> {
  try {
    await abort(client, { key, uploadId }, AbortSignal.timeout(deadlines.aside));
    note.gone();
  } catch (error) {
    note.stays();
    const kind = reason instanceof ConnectorError ? reason.kind : 'interrupted';
    throw new ConnectorError(kind, 'an upload failed and could not be given up', { cause: new AggregateError([reason, error]) });
  }
}

interface UploadId {
  readonly key: string;
  readonly uploadId: string;
}

interface Begun extends UploadId {
  readonly note: LeftoverNote;
}

/**
 * Aborts an upload; one that was completed or aborted is unknown to the service, which is no error.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 */
export async function abort(client: S3Client, { key, uploadId }: UploadId, signal: AbortSignal): Promise<void> {
  try {
    const answer = await client.send({ method: 'DELETE', key, query: { uploadId }, signal });
    await answer.discard();
  } catch (error) {
    if (!(isKind(error, 'notFound') || isUnknownUpload(error))) throw error;
  }
}

/** Aborts the upload of an orphaned-upload note. */
export function clearUp(client: S3Client, leftover: string, { signal }: CallOptions): Promise<void> {
  const [key, uploadId] = parsePair(leftover);
  return abort(client, { key, uploadId }, signal);
}
