import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { Leftovers } from '../../core/leftovers.ts';
import type { SentPart, UploadOptions } from '../../core/upload.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { assertSame } from '../../kit/hash/content-hash.ts';
import type { PutOptions, StoredObject } from '../../kit/object-store/object-store.ts';
import { type ObjectUploads, indexOfPart, partSizeFor, receiptsOf, sessionAs, sizeOfPart } from '../../kit/object-store/object-uploads.ts';
import { unknownUpload } from '../../kit/object-store/partial-upload.ts';
import { type FileVersion, PartAnswer, PartsAnswer, UploadPlace } from './api.ts';
import type { B2Client } from './client.ts';
import { type Target, clearUp, finish, isUnfinished, start } from './large-file.ts';
import { type UploadPlaces, createUploadPlaces } from './places.ts';
import { withSha1 } from './trailing-sha1.ts';
import { b2PartSizes, beginningOf } from './upload.ts';

interface Options {
  readonly leftovers: Leftovers;
  readonly targetOf: (key: string, ask: CallOptions) => Promise<Target>;
  /** Returns the object of a version just stored under the key; rejects when another writer was faster. */
  readonly stored: (key: string, version: FileVersion, ask: PutOptions) => Promise<StoredObject>;
  /** Default size of a part in bytes; 16 MiB if not given. */
  readonly usualPart: number | undefined;
}

const Session = Type.Object({
  fileId: Type.String({ minLength: 1 }),
  partSize: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 1 }),
});

/** Concurrent parts of one file. */
const width = 3;
/** Maximum number of files whose upload URLs are kept for reuse. */
const mostFiles = 32;
/** Parts per page, B2's maximum. */
const pageSize = 1000;

/**
 * Large files that another process can continue. A receipt is the part's SHA-1, which B2 verifies.
 * https://www.backblaze.com/docs/cloud-storage-large-files
 */
export function createParts(client: B2Client, { leftovers, targetOf, stored, usualPart }: Options): ObjectUploads {
  const places = new Map<string, UploadPlaces>();

  function placesOf(fileId: string): UploadPlaces {
    const known = places.get(fileId);
    if (known) return known;
    const made = createUploadPlaces(client, (asked) => client.call('b2_get_upload_part_url', UploadPlace, { fileId }, asked));
    const [oldest] = places.keys();
    if (places.size >= mostFiles && oldest !== undefined) places.delete(oldest);
    places.set(fileId, made);
    return made;
  }

  /** Runs a step; when B2 refuses it, checks whether B2 still has the file. */
  async function withFile<T>(fileId: string, signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      const isRefusal = isKind(error, 'damaged', 'forbidden', 'notFound', 'unauthorized', 'unexpected');
      if (isRefusal && !(await isUnfinished(client, fileId, signal))) throw unknownUpload(error);
      throw error;
    }
  }

  async function state(_key: string, { signal, session }: UploadOptions): Promise<{ readonly parts: readonly SentPart[] }> {
    const { fileId, ...plan } = sessionAs(Session, session);
    const parts: SentPart[] = [];
    for (let from: number | undefined = 1; from !== undefined;) {
      const json: object = { fileId, startPartNumber: from, maxPartCount: pageSize };
      const list = () => client.call('b2_list_parts', PartsAnswer, json, signal);
      const page: Static<typeof PartsAnswer> = await withFile(fileId, signal, () => retryWhileBusy(signal, list, isOutcomeUnknown));
      for (const { partNumber, contentLength, contentSha1 } of page.parts)
        if (contentLength === sizeOfPart(plan, partNumber - 1))
          parts.push({ offset: (partNumber - 1) * plan.partSize, size: contentLength, receipt: contentSha1 });
      const next: number | undefined = page.nextPartNumber ?? undefined;
      if (next !== undefined && next <= from) throw new ConnectorError('unexpected', 'a listing of parts goes on and does not say where');
      from = next;
    }
    return { parts };
  }

  return {
    async begin(key, ask) {
      const { size, signal } = ask;
      const partSize = partSizeFor(size, b2PartSizes.mostParts, usualPart);
      if (size <= partSize) throw new ConnectorError('unsupported', 'B2 makes files of at least two parts');
      const { fileId, note } = await start(client, await targetOf(key, ask), { begin: beginningOf(ask), leftovers, signal });
      return { session: JSON.stringify({ fileId, partSize, size }), partSize, parallel: width, kept: () => note.gone('now') };
    },

    async sendPart(_key, body, { signal, session, ...part }) {
      const { fileId, ...plan } = sessionAs(Session, session);
      const number = indexOfPart(plan, part) + 1;
      const { sha1, ...sent } = withSha1({ body, size: part.size });
      const headers = { 'x-bz-part-number': String(number), 'content-type': 'application/octet-stream', ...sent.headers };
      const send = () => placesOf(fileId).send(PartAnswer, { ...sent, headers, signal });
      const { contentSha1 } = await withFile(fileId, signal, send);
      assertSame(sha1(), contentSha1);
      return sha1();
    },

    state,

    async finish(key, { parts, session, ...ask }) {
      const { fileId, ...plan } = sessionAs(Session, session);
      const { signal } = ask;
      const hashes = await receiptsOf(plan, parts, () => state(key, { signal, session }));
      const known = (await state(key, { signal, session })).parts.map(({ receipt }) => receipt);
      const version = await withFile(fileId, signal, () => finish(client, fileId, hashes, signal));
      places.delete(fileId);
      // B2 has no hash of the whole file; it assembles the file only from parts with these hashes.
      const proof = { algorithm: 'b2-part-sha1', computed: sha1OfAll(hashes), stored: sha1OfAll(known) };
      return { object: await stored(key, version, ask), proof };
    },

    async abandon(_key, { signal, session }) {
      const { fileId } = sessionAs(Session, session);
      places.delete(fileId);
      await clearUp(client, fileId, { signal });
    },
  };
}

const sha1OfAll = (sha1s: readonly string[]): string => createHash('sha1').update(sha1s.join('')).digest('hex');
