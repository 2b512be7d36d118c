import type { Readable } from 'node:stream';
import { ConnectorError } from '../../core/error.ts';
import type { Leftovers } from '../../core/leftovers.ts';
import { createBodyReader } from '../../kit/body/body-reader.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { assertSame } from '../../kit/hash/content-hash.ts';
import type { PutOptions } from '../../kit/object-store/object-store.ts';
import { type Part, type PartSizes, cutBody } from '../../kit/object-store/upload-parts.ts';
import { FileVersion, PartAnswer, UploadPlace, fileInfoOf } from './api.ts';
import type { B2Client } from './client.ts';
import { type Target, makeLargeFile } from './large-file.ts';
import { encodeName } from './names.ts';
import { type UploadPlaces, createUploadPlaces } from './places.ts';
import { isStream, withSha1 } from './trailing-sha1.ts';

const MiB = 1024 * 1024;

/**
 * Up to 200 MiB in one request, which gives the file a SHA-1 of the whole; larger files in parts of at least 5 MB, at most ten thousand.
 * https://www.backblaze.com/docs/cloud-storage-large-files
 */
export const b2PartSizes: PartSizes = { single: 200 * MiB, knownPart: 8 * MiB, unknownPart: 8 * MiB, mostParts: 10_000 };

/** Bodies and parts up to this size are held in memory so that they can be retried; larger ones are streamed and sent once. */
const smallBody = 8 * MiB;
const smallPart = 32 * MiB;
/** Concurrent parts of one file. */
const width = 3;

/** Metadata with which a large file begins. */
export const beginningOf = ({ fileTime, mimeType }: Pick<PutOptions, 'fileTime' | 'mimeType'>) => ({
  contentType: mimeType ?? 'b2/x-auto',
  fileInfo: fileInfoOf(fileTime),
});

/** Uploads files atomically. B2 verifies the SHA-1 of every request before it stores anything. */
export function createUpload(client: B2Client, sizes: PartSizes, leftovers: Leftovers) {
  const places = new Map<string, UploadPlaces>();

  function placesOf(bucketId: string): UploadPlaces {
    const known = places.get(bucketId);
    if (known) return known;
    const made = createUploadPlaces(client, (signal) => client.call('b2_get_upload_url', UploadPlace, { bucketId }, signal));
    places.set(bucketId, made);
    return made;
  }

  async function putWhole({ bucketId, name }: Target, part: Part, { signal, fileTime, mimeType }: PutOptions): Promise<FileVersion> {
    const info = Object.entries(fileInfoOf(fileTime)).map(([key, value]) => [`x-bz-info-${key}`, value]);
    const { sha1, ...sent } = withSha1(await heldIfSmall(part, smallBody, signal));
    const headers = { 'x-bz-file-name': encodeName(name), 'content-type': mimeType ?? 'b2/x-auto', ...Object.fromEntries(info) };
    const file = await placesOf(bucketId).send(FileVersion, { ...sent, headers: { ...headers, ...sent.headers }, signal });
    assertSame(sha1(), file.contentSha1 ?? undefined);
    return file;
  }

  function putParts(target: Target, parts: AsyncIterable<Part>, ask: PutOptions): Promise<FileVersion> {
    const { signal, size = 0 } = ask;
    return makeLargeFile(client, target, { begin: beginningOf(ask), leftovers, signal }, async (fileId) => {
      const ofFile = createUploadPlaces(client, (asked) => client.call('b2_get_upload_part_url', UploadPlace, { fileId }, asked));
      const hashes: string[] = [];
      // A streamed part must be sent completely before the next one is requested.
      const atOnce = size / sizes.mostParts > smallPart ? 1 : width;
      await inParallel(numbered(parts, signal), atOnce, async ({ part, number }) => {
        const { sha1, ...sent } = withSha1(part);
        const headers = { 'x-bz-part-number': String(number), 'content-type': 'application/octet-stream', ...sent.headers };
        const { contentSha1 } = await ofFile.send(PartAnswer, { ...sent, headers, signal });
        assertSame(sha1(), contentSha1);
        hashes[number - 1] = sha1();
      });
      return hashes;
    });
  }

  return async (target: Target, body: Readable, ask: PutOptions): Promise<FileVersion> => {
    const cut = await cutBody(body, ask, sizes);
    if ('whole' in cut) return putWhole(target, cut.whole, ask);
    const { only, parts } = await lookedAt(cut.parts);
    return only ? putWhole(target, only, ask) : putParts(target, parts, ask);
  };
}

/** Buffers the part in memory when it is small. */
async function heldIfSmall({ body, size }: Part, limit: number, signal: AbortSignal): Promise<Part> {
  if (!isStream(body) || size > limit) return { body, size };
  const held = await createBodyReader(body, signal).take(size + 1);
  if (held.byteLength !== size) throw new ConnectorError('sizeDiffers', `another length than ${size} bytes came`);
  return { body: held, size };
}

async function* numbered(
  parts: AsyncIterable<Part>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly part: Part; readonly number: number }> {
  let number = 0;
  for await (const part of parts) yield { part: await heldIfSmall(part, smallPart, signal), number: (number += 1) };
}

/** Detects a body with only one part, which B2 does not accept as a large file. */
async function lookedAt(parts: AsyncIterable<Part>): Promise<{ readonly only?: Part; readonly parts: AsyncIterable<Part> }> {
  const rest = parts[Symbol.asyncIterator]();
  const first = await rest.next();
  const second = first.done || isStream(first.value.body) ? undefined : await rest.next();
  async function* all(): AsyncGenerator<Part> {
    if (!first.done) yield first.value;
    for (let next = second ?? (await rest.next()); !next.done; next = await rest.next()) yield next.value;
  }
  return { ...(!first.done && second?.done && { only: first.value }), parts: all() };
}
