import { Type } from 'typebox';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import type { SentPart, UploadOptions, UploadState } from '../../../core/upload.ts';
import type { ObjectStore } from '../../../kit/object-store/object-store.ts';
import {
  type ObjectUploads,
  indexOfPart,
  partSizeFor,
  receiptsOf,
  sessionAs,
  sizeOfPart,
} from '../../../kit/object-store/object-uploads.ts';
import { unknownUpload } from '../../../kit/object-store/partial-upload.ts';
import { childText, scanXml } from '../../../kit/xml/xml.ts';
import { partElements, toPart, uploadElements } from '../api.ts';
import type { S3Client } from '../client.ts';
import type { Digests } from '../digests.ts';
import { abort, beginParts } from '../multipart.ts';
import type { Sending } from '../sending.ts';
import { objectHeaders, s3PartSizes } from '../upload.ts';
import { createPartSender, finishParts, readReceipt, unlessUnknown } from './bytes.ts';

interface Options {
  readonly storageClass: string | undefined;
  readonly digests: Digests;
  readonly leftovers: Leftovers;
  readonly sending: Sending;
  readonly head: ObjectStore['head'];
  /** Whether the service lists the parts only of unfinished uploads. */
  readonly listsUnfinishedOnly: boolean;
  /** Default size of a part in bytes; 16 MiB if not given. */
  readonly usualPart: number | undefined;
}

const Session = Type.Object({
  uploadId: Type.String({ minLength: 1 }),
  partSize: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 1 }),
});

/** Concurrent parts of one file. */
const width = 4;

/**
 * Multipart uploads that another process can continue: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html A receipt is
 * the part's etag, followed by the MD5 of the sent bytes where the etag is not the MD5.
 */
export function createParts(
  client: S3Client,
  { storageClass, digests, leftovers, sending, head, listsUnfinishedOnly, usualPart }: Options,
): ObjectUploads {
  const sendPart = createPartSender({ digests, sending });

  async function state(key: string, { signal, session }: UploadOptions): Promise<UploadState> {
    const { uploadId, ...plan } = sessionAs(Session, session);
    const parts: SentPart[] = [];
    for (let marker: string | undefined = '0'; marker !== undefined;) {
      const query: Record<string, string> = { uploadId, ...(marker !== '0' && { 'part-number-marker': marker }) };
      const response = await client
        .send({ method: 'GET', key, query, signal })
        .catch((error: unknown) => Promise.reject(unlessUnknown(error)));
      let [truncated, next]: [boolean, string | undefined] = [false, undefined];
      for await (const elements of scanXml(response.stream(), partElements))
        for (const element of elements)
          if (element.name === 'IsTruncated') truncated = element.text === 'true';
          else if (element.name === 'NextPartNumberMarker') next = element.text;
          else {
            const { number, size, etag } = toPart(element);
            if (size === sizeOfPart(plan, number - 1)) parts.push({ offset: (number - 1) * plan.partSize, size, receipt: etag });
          }
      if (truncated && (next === undefined || Number(next) <= Number(marker)))
        throw new ConnectorError('unexpected', 'a listing of parts goes on and does not say where');
      marker = truncated ? next : undefined;
    }
    if (!listsUnfinishedOnly && !(await isUnfinished(key, uploadId, signal))) throw unknownUpload();
    return { parts };
  }

  /** Needed for Swift, which lists the parts of completed uploads too. Without the permission to list uploads, the answer is unknown. */
  async function isUnfinished(key: string, uploadId: string, signal: AbortSignal): Promise<boolean> {
    try {
      for (let marker: Record<string, string> = {}; ;) {
        const response = await client.send({ method: 'GET', query: { uploads: '', prefix: key, ...marker }, signal });
        let [truncated, found, last]: [boolean, boolean, Record<string, string>] = [false, false, {}];
        for await (const elements of scanXml(response.stream(), uploadElements))
          for (const element of elements) {
            if (element.name === 'IsTruncated') truncated = element.text === 'true';
            else if (childText(element, 'UploadId') === uploadId) found = true;
            else last = { 'key-marker': childText(element, 'Key') ?? '', 'upload-id-marker': childText(element, 'UploadId') ?? '' };
          }
        if (found || !truncated || last['key-marker'] !== key) return found;
        marker = last;
      }
    } catch (error) {
      if (isKind(error, 'forbidden', 'unsupported')) return true;
      throw error;
    }
  }

  return {
    async begin(key, ask) {
      const { size, signal } = ask;
      const partSize = partSizeFor(size, s3PartSizes.mostParts, usualPart);
      const { uploadId, note } = await beginParts(client, key, { signal, leftovers, headers: objectHeaders(ask, storageClass) });
      return { session: JSON.stringify({ uploadId, partSize, size }), partSize, parallel: width, kept: () => note.gone('now') };
    },

    async sendPart(key, body, { signal, session, ...part }) {
      const { uploadId, ...plan } = sessionAs(Session, session);
      const query = { partNumber: String(indexOfPart(plan, part) + 1), uploadId };
      return sendPart(body, { method: 'PUT', key, query, size: part.size, signal });
    },

    state,

    async finish(key, { parts, session, ...ask }) {
      const { uploadId, ...plan } = sessionAs(Session, session);
      const { signal } = ask;
      const receipts = (await receiptsOf(plan, parts, () => state(key, { signal, session }))).map(readReceipt);
      const send = (request: Parameters<S3Client['send']>[0]) => sending.sendIfAbsent(request, ask);
      return finishParts({ send, head }, key, {
        signal,
        uploadId,
        receipts: receipts.map((one, index) => ({ ...one, number: index + 1 })),
      });
    },

    async abandon(key, { signal, session }) {
      await abort(client, { key, uploadId: sessionAs(Session, session).uploadId }, signal);
    },
  };
}
