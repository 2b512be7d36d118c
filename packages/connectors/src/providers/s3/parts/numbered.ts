import { Type } from 'typebox';
import type { Leftovers } from '../../../core/leftovers.ts';
import type { ObjectStore } from '../../../kit/object-store/object-store.ts';
import { type NumberedObjectUploads, sessionAs } from '../../../kit/object-store/object-uploads.ts';
import type { S3Client } from '../client.ts';
import type { Digests } from '../digests.ts';
import { abort, beginParts } from '../multipart.ts';
import type { Sending } from '../sending.ts';
import { objectHeaders } from '../upload.ts';
import { createPartSender, finishParts, readReceipt } from './bytes.ts';

interface Options {
  readonly storageClass: string | undefined;
  readonly digests: Digests;
  readonly leftovers: Leftovers;
  readonly sending: Sending;
  readonly head: ObjectStore['head'];
}

const Session = Type.Object({ uploadId: Type.String({ minLength: 1 }) });
/** Minimum size in bytes of every part except the last: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const smallest = 5 * 1024 ** 2;

/** S3's multipart uploads by part number: parts of any size, in any order. */
export function createNumbered(client: S3Client, { storageClass, digests, leftovers, sending, head }: Options): NumberedObjectUploads {
  const sendPart = createPartSender({ digests, sending });
  return {
    async begin(key, ask) {
      const { uploadId, note } = await beginParts(client, key, {
        signal: ask.signal,
        leftovers,
        headers: objectHeaders(ask, storageClass),
      });
      return { session: JSON.stringify({ uploadId }), smallest, kept: () => note.gone('now') };
    },

    sendPart(key, body, { signal, session, number, size }) {
      const { uploadId } = sessionAs(Session, session);
      return sendPart(body, { method: 'PUT', key, query: { partNumber: String(number), uploadId }, size, signal });
    },

    finish(key, { session, parts, ...ask }) {
      const { uploadId } = sessionAs(Session, session);
      const receipts = parts.map(({ number, receipt }) => ({ number, ...readReceipt(receipt) }));
      const send: S3Client['send'] = (request) => sending.sendIfAbsent(request, ask);
      return finishParts({ send, head }, key, { signal: ask.signal, uploadId, receipts });
    },

    abandon: (key, { signal, session }) => abort(client, { key, uploadId: sessionAs(Session, session).uploadId }, signal),
  };
}
