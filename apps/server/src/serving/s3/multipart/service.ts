import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Connector, createKeyedLimiter, createSharedWork, joinPath, parentOf, partsPrefix } from '@sheaf/connectors';
import { mediaTypeOf } from '#/files/items/media-type.ts';
import { cannotChange, storedAt } from '#/files/items/open-item.ts';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';
import type { Clock } from '#/platform/clock.ts';
import { bucketsOf, rootBucket } from '#/serving/programs/buckets.ts';
import { s3Root } from '../address.ts';
import { S3Error } from '../errors.ts';
import { mustPassThrough, sourceOf } from '../objects/copying.ts';
import { type Folders, isCode } from '../objects/folders.ts';
import { metaOf, modifiedIn } from '../objects/headers.ts';
import type { Meta, ObjectMemory } from '../objects/memory.ts';
import { checkWrite, storeObject } from '../objects/writing.ts';
import { type ObjectTarget, type S3Answer, type S3Request, headerOf, mustWrite, numberIn, openBucket, openObject } from '../request.ts';
import { payloadOf } from '../signing/payload.ts';
import { encode } from '../signing/signature.ts';
import { documentOf, element, group, isoTime, named, parseXml, textIn } from '../xml.ts';
import { assembled } from './assemble.ts';
import type { NativeParts } from './native.ts';
import type { PartRow, UploadRow, UploadStore } from './store.ts';

interface Deps {
  readonly store: UploadStore;
  readonly native: NativeParts;
  readonly memory: ObjectMemory;
  readonly folders: Folders;
  /** Opens a link of an account, to remove the parts of an abandoned upload. */
  readonly openLink: (accountId: string, userLinkId: string) => Promise<{ readonly connector: Connector }>;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: Clock;
  readonly later: (name: string, task: () => Promise<void>) => void;
}

/** As in S3. */
const mostParts = 10_000;
const partsAtOnce = 1000;
/** Elements of the largest request: a number, a tag and five checksums for each part. */
const mostElements = 10 * mostParts;
const mostUploads = 1000;
/** Seconds after which an unfinished upload is removed, and for which a finished one is remembered for repeated requests. */
const abandonedAfter = 7 * 86_400;
const rememberedFor = 86_400;
const sweptAtOnce = 100;
const clearingTimeout = 60_000;

export type Multipart = ReturnType<typeof createMultipart>;

/**
 * Uploads in parts. Clients announce neither their size nor that of their parts, send parts in any order and several times, and go on after days. A storage
 * that has such parts itself gets them as they come. Elsewhere each part is a file of its own in a hidden folder next to the object, and they are joined at
 * the end; rows say which file is which part.
 */
export function createMultipart({ store, native, memory, folders, openLink, newId, now, later }: Deps) {
  const once = createSharedWork<string>();
  const joining = createKeyedLimiter(1);

  async function uploadOf({ query, window }: S3Request, { item, path }: ObjectTarget): Promise<UploadRow> {
    const row = await store.find(query.get('uploadId') ?? '', window.program.accountId);
    if (!row || row.userLinkId !== item.userLinkId || row.path !== path) throw new S3Error('NoSuchUpload');
    return row;
  }

  /** Removes the parts at the storage. */
  async function clear(connector: Connector, upload: UploadRow): Promise<void> {
    const signal = AbortSignal.timeout(clearingTimeout);
    try {
      await (upload.session === null ? connector.remove?.(upload.folder, { signal }) : native.abandon(connector, upload, signal));
    } catch (error) {
      if (!isCode(error, 'ITEM_NOT_FOUND')) throw error;
    }
  }

  async function begin(request: S3Request): Promise<S3Answer> {
    const { address, headers, window, signal } = request;
    mustWrite(window);
    await request.text();
    const target = await openObject(window, address);
    const { item, path, bucket, key } = target;
    if (target.isFolder) throw new S3Error('InvalidArgument', 'A key with a final slash stands for a folder, which has no parts.');
    const { connector } = item;
    if (!connector.write || !connector.createFolder || !connector.remove) throw cannotChange(item);
    if ((await store.countOpen(window.program.accountId)) >= mostUploads)
      throw new S3Error('SlowDown', 'Too many uploads in parts are under way. Please finish or abort some of them.');
    await folders.make(window, item, parentOf(path), signal);
    const id = newId();
    const meta = metaOf(headers);
    const modified = modifiedIn(meta);
    const facts = { id, accountId: window.program.accountId, userLinkId: item.userLinkId, path, meta: JSON.stringify(meta), etag: null };
    const begun = await native.begin(item, path, id, { signal, ...(modified !== undefined && { modified }) });
    if (begun) {
      await store.insert({ ...facts, folder: '', session: begun.session, createdAt: now() });
      begun.kept();
    } else {
      mustPassThrough(target, target);
      const folder = joinPath(parentOf(path), `${partsPrefix}${id}`);
      // Stored before the folder is made, so that the sweep finds the folder after a crash.
      await store.insert({ ...facts, folder, session: null, createdAt: now() });
      await connector.createFolder(folder, { signal });
    }
    return {
      status: 200,
      body: documentOf('InitiateMultipartUploadResult', element('Bucket', bucket.name), element('Key', key), element('UploadId', id)),
    };
  }

  function partNumberOf(query: URLSearchParams): number {
    const number = numberIn(query, 'partNumber', { most: mostParts + 1, preset: 0 });
    if (number < 1 || number > mostParts) throw new S3Error('InvalidArgument', `Part numbers are 1 to ${mostParts}.`);
    return number;
  }

  /** Stores a part; the row is written once its bytes are. */
  async function keepPart(
    { signal }: S3Request,
    { item }: ObjectTarget,
    upload: UploadRow,
    part: { readonly number: number; readonly size: number; readonly body: Readable; readonly etag: () => string },
  ): Promise<string> {
    const { write, remove } = item.connector;
    if (!write) throw cannotChange(item);
    if (upload.session !== null) {
      // Storages refuse parts without bytes; they add nothing to the object.
      const receipt = part.size === 0 ? await finished(part.body.resume()).then(() => '') : await native.send(item, upload, part, signal);
      const etag = part.etag();
      const row = { uploadId: upload.id, number: part.number, file: '', receipt, size: part.size, etag, createdAt: now() };
      if (!(await store.putPart(row))) throw new S3Error('NoSuchUpload');
      return etag;
    }
    const file = `${String(part.number).padStart(5, '0')}-${newId()}`;
    const path = joinPath(upload.folder, file);
    await write(path, part.body, { signal, ifExists: 'fail', size: part.size, mimeType: mediaTypeOf('') });
    const etag = part.etag();
    const row = { uploadId: upload.id, number: part.number, file, receipt: null, size: part.size, etag, createdAt: now() };
    const kept = await store.putPart(row);
    const gone = kept ? kept.replaced : file;
    if (gone !== undefined)
      later('remove a replaced part', async () =>
        remove?.(joinPath(upload.folder, gone), { signal: AbortSignal.timeout(clearingTimeout) }),
      );
    if (!kept) throw new S3Error('NoSuchUpload');
    return etag;
  }

  async function putPart(request: S3Request): Promise<S3Answer> {
    const { address, headers, query, window, claim, secret, body: open } = request;
    mustWrite(window);
    const target = await openObject(window, address);
    const upload = await uploadOf(request, target);
    const number = partNumberOf(query);
    if (headers['x-amz-copy-source'] !== undefined) return copyPart(request, target, upload, number);
    const payload = payloadOf({ headers, claim, secret, open });
    try {
      const { size, body, md5 } = payload;
      const etag = await keepPart(request, target, upload, { number, size, body, etag: md5 });
      return { status: 200, headers: { etag: `"${etag}"`, ...payload.checksums() } };
    } catch (error) {
      payload.body.destroy();
      throw payload.failure() ?? error;
    }
  }

  /** UploadPartCopy. */
  async function copyPart(request: S3Request, target: ObjectTarget, upload: UploadRow, number: number): Promise<S3Answer> {
    const { headers, signal } = request;
    const { target: from, entry } = await sourceOf(memory, request);
    mustPassThrough(from, target);
    const told = headerOf(headers, 'x-amz-copy-source-range');
    const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(told ?? '') ?? [];
    if (told !== undefined && first === undefined) throw new S3Error('InvalidArgument', 'The range of the source is not valid.');
    const range = first === undefined ? undefined : { start: Number(first), end: Number(last) + 1 };
    const size = range ? range.end - range.start : entry.size;
    if (size === undefined) throw new S3Error('NotImplemented', 'The storage does not tell the size of this file.');
    if (range && entry.size !== undefined && (range.end > entry.size || size <= 0)) throw new S3Error('InvalidRange');
    const work = async (): Promise<string> => {
      const hash = createHash('md5');
      const source = await from.item.connector.read(from.path, { signal, known: entry, ...(range && { range }) });
      const body = streamOf(source, (chunk) => void hash.update(chunk));
      const etag = await keepPart(request, target, upload, { number, size, body, etag: () => hash.digest('hex') }).finally(
        () => void body.destroy(),
      );
      return documentOf('CopyPartResult', element('LastModified', isoTime(now())), element('ETag', `"${etag}"`));
    };
    return { status: 200, body: work() };
  }

  /** The parts that a client names, as they are stored. Throws InvalidPart, InvalidPartOrder, MalformedXML. */
  async function chosen(upload: UploadRow, text: string): Promise<PartRow[]> {
    const asked = named(parseXml(text, mostElements), 'Part').map((one) => ({
      number: Number(textIn(one, 'PartNumber')?.trim()),
      etag: (textIn(one, 'ETag') ?? '').trim().replaceAll('"', '').replaceAll('&quot;', ''),
    }));
    if (asked.length === 0 || asked.length > mostParts) throw new S3Error('MalformedXML');
    const stored = new Map<number, PartRow>();
    for (let after = 0; ;) {
      const page = await store.parts(upload.id, after, partsAtOnce);
      for (const part of page) stored.set(part.number, part);
      if (page.length < partsAtOnce) break;
      after = page.at(-1)?.number ?? mostParts;
    }
    return asked.map(({ number, etag }, index) => {
      if (number <= (asked[index - 1]?.number ?? 0)) throw new S3Error('InvalidPartOrder');
      const part = stored.get(number);
      if (!part || part.etag !== etag) throw new S3Error('InvalidPart');
      return part;
    });
  }

  const resultOf = ({ bucket, key }: ObjectTarget, etag: string): string => {
    // MinIO's client treats an answer without a location as a failure.
    const location = [s3Root, bucket.name, encode(key).replaceAll('%2F', '/')].join('/');
    const facts = [element('Location', location), element('Bucket', bucket.name), element('Key', key), element('ETag', `"${etag}"`)];
    return documentOf('CompleteMultipartUploadResult', ...facts);
  };

  async function complete(request: S3Request): Promise<S3Answer> {
    const { address, window } = request;
    mustWrite(window);
    const text = await request.text();
    const target = await openObject(window, address);
    const upload = await uploadOf(request, target);
    if (upload.etag !== null) return { status: 200, body: resultOf(target, upload.etag) };
    const parts = await chosen(upload, text);
    const mustBeNew = await checkWrite(memory, target, request);
    // A client that repeats the request because the answer took long joins the work under way.
    const work = once(upload.id, request.signal, (signal) => join({ ...request, signal }, target, upload, parts, mustBeNew));
    return { status: 200, body: work.then((etag) => resultOf(target, etag)) };
  }

  async function join(
    request: S3Request,
    target: ObjectTarget,
    upload: UploadRow,
    parts: readonly PartRow[],
    mustBeNew: boolean,
  ): Promise<string> {
    const { item, path } = target;
    const etag = `${createHash('md5')
      .update(Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex'))))
      .digest('hex')}-${parts.length}`;
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const meta = JSON.parse(upload.meta) as Meta;
    // Each join takes two of a link's connections: several at once might wait for each other.
    const { linkId } = storedAt(item, path);
    const stored = { size, meta, mustBeNew, etag: () => etag };
    if (upload.session !== null && size > 0) {
      const assemble = native.assemble(item, upload, parts, { etag, size });
      await storeObject({ memory, folders }, request, target, { ...stored, source: { assemble } });
      await store.finish(upload.id, etag);
      return etag;
    }
    await joining.run(linkId, request.signal, async () => {
      const source = assembled(item.connector, upload.folder, parts, request.signal);
      try {
        await storeObject({ memory, folders }, request, target, { ...stored, source: { body: () => source.body } });
      } catch (error) {
        // Another request may have finished the upload and removed the parts.
        const row = await store.find(upload.id, upload.accountId);
        if (row?.etag !== etag) throw source.failure() ?? error;
      } finally {
        source.body.destroy();
      }
      await store.finish(upload.id, etag);
    });
    later('remove joined parts', () => clear(item.connector, upload));
    return etag;
  }

  async function abort(request: S3Request): Promise<S3Answer> {
    mustWrite(request.window);
    const target = await openObject(request.window, request.address);
    const upload = await uploadOf(request, target);
    if (upload.etag !== null || !(await store.removeOpen(upload.id))) throw new S3Error('NoSuchUpload');
    later('remove the parts of an aborted upload', () => clear(target.item.connector, upload));
    return { status: 204 };
  }

  async function listParts(request: S3Request): Promise<S3Answer> {
    const { address, query, window } = request;
    const target = await openObject(window, address);
    const upload = await uploadOf(request, target);
    if (upload.etag !== null) throw new S3Error('NoSuchUpload');
    const limit = numberIn(query, 'max-parts', { most: partsAtOnce, preset: partsAtOnce });
    const marker = numberIn(query, 'part-number-marker', { most: mostParts, preset: 0 });
    const rows = await store.parts(upload.id, marker, limit + 1);
    const shown = rows.slice(0, limit);
    const isTruncated = rows.length > limit;
    const parts = shown.map(({ number, etag, size, createdAt }) =>
      group(
        'Part',
        element('PartNumber', number),
        element('LastModified', isoTime(createdAt)),
        element('ETag', `"${etag}"`),
        element('Size', size),
      ),
    );
    return {
      status: 200,
      body: documentOf(
        'ListPartsResult',
        element('Bucket', target.bucket.name),
        element('Key', target.key),
        element('UploadId', upload.id),
        element('PartNumberMarker', marker),
        element('NextPartNumberMarker', shown.at(-1)?.number ?? marker),
        element('MaxParts', limit),
        element('IsTruncated', isTruncated),
        ...parts,
      ),
    };
  }

  async function listUploads({ address, query, window }: S3Request): Promise<S3Answer> {
    const { bucket: name } = address;
    const prefix = query.get('prefix') ?? '';
    // In the bucket of all links each link is a folder.
    const buckets = name === undefined ? bucketsOf(await window.places()) : [await openBucket(window, name)];
    const uploads: string[] = [];
    for (const bucket of buckets) {
      const start = name === undefined ? `${bucket.name}/` : '';
      if (!prefix.startsWith(start) && !start.startsWith(prefix)) continue;
      for (const { id, path, createdAt } of await store.open(window.program.accountId, bucket.userLinkId, mostUploads)) {
        const key = start + path.slice(1);
        if (!key.startsWith(prefix) || window.reach(bucket.userLinkId, path) !== 'inside') continue;
        uploads.push(group('Upload', element('Key', key), element('UploadId', id), element('Initiated', isoTime(createdAt))));
      }
    }
    return {
      status: 200,
      body: documentOf(
        'ListMultipartUploadsResult',
        element('Bucket', name ?? rootBucket),
        element('Prefix', prefix),
        element('MaxUploads', mostUploads),
        element('IsTruncated', false),
        ...uploads,
      ),
    };
  }

  return {
    begin,
    putPart,
    complete,
    abort,
    listParts,
    listUploads,

    /** Removes abandoned uploads and their parts. */
    async sweep(): Promise<void> {
      for (const row of await store.before(now() - abandonedAfter, false, sweptAtOnce)) {
        try {
          const { connector } = await openLink(row.accountId, row.userLinkId);
          await clear(connector, row);
        } catch (error) {
          // The row goes without its files once the link is gone, or was out of reach for long.
          if (!isCode(error, 'INVALID_LINK_URI') && row.createdAt > now() - 2 * abandonedAfter) continue;
        }
        await store.removeOpen(row.id);
      }
      for (const row of await store.before(now() - rememberedFor, true, sweptAtOnce)) await store.remove(row.id);
    },
  };
}
