import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConnectorError } from '../../../core/error.ts';
import type { FinishedUpload } from '../../../core/upload.ts';
import { lendLike } from '../../../kit/body/body-memory.ts';
import { createBodyReader } from '../../../kit/body/body-reader.ts';
import { bodyHash, hashed, withHash } from '../../../kit/hash/content-hash.ts';
import type { ObjectStore } from '../../../kit/object-store/object-store.ts';
import type { FinishedObject } from '../../../kit/object-store/object-uploads.ts';
import { unknownUpload } from '../../../kit/object-store/partial-upload.ts';
import { etagOf, isEncrypted } from '../api.ts';
import type { S3Client } from '../client.ts';
import type { Digests } from '../digests.ts';
import { isUnknownUpload } from '../errors.ts';
import { completeParts } from '../multipart.ts';
import type { Sending } from '../sending.ts';

type PartRequest = Omit<Parameters<S3Client['send']>[0], 'body'> & { readonly size: number };

/** Sends the bytes of parts. A receipt is the part's etag, followed by the MD5 of the sent bytes where the etag is not the MD5. */
export function createPartSender({ digests, sending }: { readonly digests: Digests; readonly sending: Sending }) {
  async function sendBytes(body: Readable, request: PartRequest) {
    const { size, signal } = request;
    const md5 = bodyHash('md5')(size);
    return withHash(md5, async (hash) => {
      const wanted = await digests.wanted();
      // Where the bucket requires an MD5 in advance, the bytes are read into memory first.
      const bytes = wanted ? await createBodyReader(body, signal).take(size + 1) : undefined;
      if (bytes && bytes.byteLength !== size) throw new ConnectorError('sizeDiffers', `another length than ${size} bytes came`);
      if (bytes) await hash.update(bytes);
      const response = await sending.sendBytes({ ...request, body: bytes ?? lendLike(hashed(body, hash), body) });
      await response.discard();
      return { etag: etagOf(response.headers['etag']).etag ?? '', md5: await hash.digest() };
    });
  }

  return async (body: Readable, request: PartRequest): Promise<string> => {
    const { etag, md5 } = await sendBytes(body, request).catch(async (error: unknown) => {
      await digests.learnFrom(error);
      throw unlessUnknown(error);
    });
    return etag === md5 ? etag : `${etag} ${md5}`;
  };
}

/**
 * Assembles the object by the receipts of its parts, in ascending order of their numbers, and verifies it where the service allows that.
 */
export async function finishParts(
  { send, head }: { readonly send: S3Client['send']; readonly head: ObjectStore['head'] },
  key: string,
  ask: { readonly signal: AbortSignal; readonly uploadId: string; readonly receipts: readonly (Receipt & { readonly number: number })[] },
): Promise<FinishedObject> {
  const { signal, uploadId, receipts } = ask;
  mustAgree(receipts);
  const headers = await completeParts(send, { key, uploadId, parts: receipts, signal }).catch((error: unknown) =>
    Promise.reject(unlessUnknown(error)),
  );
  const object = await head(key, { signal });
  if (!object || etagOf(headers['etag']).etag !== object.etag)
    throw new ConnectorError('interrupted', 'the object was replaced right after it was stored');
  const proof = isEncrypted(headers) ? undefined : proofOf(receipts, object.etag ?? '');
  return { object, ...(proof && { proof }) };
}

/** Returns the error, or `notFound` when the service reports that it does not know the upload. */
export const unlessUnknown = (error: unknown): unknown => (isUnknownUpload(error) ? unknownUpload(error) : error);

interface Receipt {
  readonly etag: string;
  readonly md5: string;
}

export function readReceipt(receipt: string): Receipt {
  const [etag = '', md5 = etag] = receipt.split(' ');
  return { etag, md5 };
}

/** Either all etags of a service are the MD5s of the parts or none is: rejects with `damaged` when only some are. */
function mustAgree(receipts: readonly Receipt[]): void {
  const same = receipts.filter(({ etag, md5 }) => etag === md5).length;
  if (same > 0 && same < receipts.length)
    throw new ConnectorError('damaged', 'the stored bytes of a part have another MD5 than those sent');
}

/**
 * Compares the object's etag with the etags of its parts, where the service computes it as Amazon does: the MD5 of the parts' MD5s, and
 * their number.
 */
function proofOf(receipts: readonly Receipt[], stored: string): FinishedUpload['proof'] {
  if (!new RegExp(`^[\\da-f]{32}-${receipts.length}$`).test(stored) || receipts.some(({ etag, md5 }) => etag !== md5)) return undefined;
  const ofParts = Buffer.from(receipts.map(({ md5 }) => md5).join(''), 'hex');
  return { algorithm: 's3-multipart-md5', computed: `${createHash('md5').update(ofParts).digest('hex')}-${receipts.length}`, stored };
}
