import { createHash } from 'node:crypto';
import type { CallOptions, ByteRange } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type Leftovers, noLeftovers } from '../../core/leftovers.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { rangeHeader } from '../../kit/http/part-of.ts';
import { type RequestBytes, readInTwo } from '../../kit/http/two-part-read.ts';
import type { ObjectStore, StoredObject } from '../../kit/object-store/object-store.ts';
import type { PartSizes } from '../../kit/object-store/upload-parts.ts';
import { checksumMode, deletion, fitsXml, objectOfHeaders, reported } from './api.ts';
import type { S3Client } from './client.ts';
import type { S3Config } from './config.ts';
import { type Digests, createDigests } from './digests.ts';
import { etagIn, failureIn, s3Error } from './errors.ts';
import { createListing } from './listing.ts';
import { putInParts } from './multipart.ts';
import { createNumbered } from './parts/numbered.ts';
import { createParts } from './parts/resumable.ts';
import { createSending } from './sending.ts';
import { encodePath } from './signature.ts';
import { createUpload, s3PartSizes } from './upload.ts';
import { createVersions } from './versions.ts';

export interface StoreOptions {
  /** Keys per listing page, at most 1000. */
  readonly pageSize?: number;
  readonly sizes?: PartSizes;
  /** Maximum bytes of an object copied in one request. */
  readonly singleCopy?: number;
  /** Part size in bytes of a larger copy. */
  readonly copyPart?: number;
  /** Bytes of the first range request for a whole object. */
  readonly firstPart?: number;
  /** Size of a resumable part in bytes. */
  readonly usualPart?: number;
  /** Learnt per store by default. */
  readonly digests?: Digests;
  readonly leftovers?: Leftovers;
}

/** S3's limit of CopyObject: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
const defaultSingleCopy = 5 * 1024 ** 3;
const defaultCopyPart = 1024 ** 3;
/**
 * In the range that Amazon recommends:
 * https://docs.aws.amazon.com/whitepapers/latest/s3-optimizing-performance-best-practices/use-byte-range-fetches.html
 */
const defaultFirstPart = 8 * 1024 ** 2;
/** Concurrent part copies or deletions. */
const width = 8;

/** Options of a query about an object, or about one of its versions. */
type AskOf = CallOptions & { readonly version?: string | undefined };

/** One bucket as an object store. */
export function createS3Store(client: S3Client, config: S3Config, options: StoreOptions = {}): ObjectStore {
  const {
    pageSize = 1000,
    sizes = s3PartSizes,
    singleCopy = defaultSingleCopy,
    copyPart = defaultCopyPart,
    firstPart = defaultFirstPart,
    usualPart,
    digests = createDigests({ recall: async () => undefined, remember: async () => undefined }),
    leftovers = noLeftovers,
  } = options;
  const { bucket, flavour, storageClass } = config;
  const sending = createSending(client, digests);
  const classHeader: Record<string, string> = storageClass === undefined ? {} : { 'x-amz-storage-class': storageClass };
  let deletesMany = true;

  const removeOne = async (key: string, { signal }: CallOptions): Promise<void> => {
    const answer = await client.send({ method: 'DELETE', key, signal });
    await answer.discard();
  };

  /** Returns false when the service does not support this call. */
  const removeMany = async (keys: readonly string[], { signal }: CallOptions): Promise<boolean> => {
    const body = deletion(keys);
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64'), 'content-type': 'application/xml' };
    try {
      const answer = await client.send({ method: 'POST', query: { delete: '' }, headers, body, signal, isLong: true });
      const text = await answer.text();
      if (text.includes('<Error>')) throw s3Error({ ...failureIn(text), status: answer.status });
      return true;
    } catch (error) {
      if (isKind(error, 'unsupported')) return false;
      throw error;
    }
  };

  const headersOf = async (key: string, { signal, version }: AskOf, headers: Record<string, string> = {}) => {
    const query = { query: { versionId: version ?? '' } };
    const response = await client.send({ method: 'HEAD', key, headers, signal, ...(version !== undefined && query) });
    await response.discard();
    return response.headers;
  };

  /**
   * Requests checksums where the service supports them. Repeats a forbidden request without them: Amazon refuses them for an object
   * encrypted with KMS when the access key has no decryption permission.
   */
  const describe = async (key: string, ask: CallOptions) => {
    if (!flavour.amazon) return headersOf(key, ask);
    try {
      return await headersOf(key, ask, checksumMode);
    } catch (error) {
      if (isKind(error, 'forbidden')) return headersOf(key, ask);
      throw error;
    }
  };

  const head: ObjectStore['head'] = async (key, ask) => {
    try {
      return objectOfHeaders(key, await describe(key, ask));
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  };

  const copyParts = async (from: StoredObject, to: string, { signal, version }: AskOf): Promise<void> => {
    const source = await headersOf(from.key, { signal, version });
    const kept = Object.entries(source).filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'));
    const { size } = objectOfHeaders(from.key, source);
    await putInParts(client, to, { signal, leftovers, headers: { ...classHeader, ...Object.fromEntries(kept) } }, async (query) => {
      const etags: string[] = Array.from({ length: Math.ceil(size / copyPart) }, () => '');
      await inParallel(etags.keys(), width, async (index) => {
        const last = Math.min(size, (index + 1) * copyPart) - 1;
        const headers = {
          'x-amz-copy-source': copySource(from.key, version),
          'x-amz-copy-source-range': `bytes=${index * copyPart}-${last}`,
        };
        etags[index] = etagIn(
          await copied(await client.send({ method: 'PUT', key: to, query: query(index + 1), headers, signal, isLong: true })),
        );
      });
      // Checked at the end instead of with a precondition, which fails for Swift objects that were themselves assembled from parts.
      if ((await headersOf(from.key, { signal, version }))['etag'] !== source['etag'])
        throw new ConnectorError('interrupted', 'the object was replaced while it was copied');
      return etags;
    });
  };

  const copyWhole = async (source: string, to: string, { signal }: CallOptions): Promise<void> => {
    const headers = { ...classHeader, 'x-amz-copy-source': source };
    await copied(await client.send({ method: 'PUT', key: to, headers, signal, isLong: true }));
  };

  const copySource = (key: string, version?: string): string =>
    `/${encodePath(bucket)}/${encodePath(key)}${version === undefined ? '' : `?versionId=${encodeURIComponent(version)}`}`;

  const copyObject = (from: StoredObject, to: string, ask: AskOf): Promise<void> =>
    from.size > singleCopy ? copyParts(from, to, ask) : copyWhole(copySource(from.key, ask.version), to, ask);

  return {
    listsFileTimes: false,
    list: createListing(client, { flavour, pageSize }),

    head,

    async get(key, { range, signal, known }) {
      const ask: RequestBytes = (headers, until) =>
        client.send({ method: 'GET', key, headers: { ...headers, ...(flavour.amazon && checksumMode) }, signal: until });
      const isPart = range !== undefined && (range.start > 0 || range.end !== undefined);
      const { headers, body } = isPart ? await getPart(ask, range, signal) : await readInTwo(ask, { signal, firstPart, size: known?.size });
      return { object: objectOfHeaders(key, headers), body };
    },

    put: createUpload(client, { storageClass, sizes, digests, leftovers, sending }),
    uploads: createParts(client, {
      storageClass,
      digests,
      leftovers,
      sending,
      head,
      listsUnfinishedOnly: flavour.amazon === true,
      usualPart,
    }),
    numbered: createNumbered(client, { storageClass, digests, leftovers, sending, head }),
    versions: createVersions({
      client,
      flavour,
      pageSize,
      copy: (from, version, ask) => copyObject(from, from.key, { ...ask, version }),
      headersOf: (key, version, ask) => headersOf(key, { ...ask, version }),
      objectOf: objectOfHeaders,
    }),
    hashes: flavour.amazon ? reported.amazon : reported.compatible,

    copy: copyObject,
    others: {
      // Amazon's bucket names are unique across all accounts; at some other services they are unique within an account.
      service: `s3 ${config.endpoint?.origin ?? 'amazon'} ${flavour.amazon ? '' : config.key}`,
      locationOf: ({ key }) => copySource(key),
      async copy(location, { size }, to, ask) {
        if (size > singleCopy) throw new ConnectorError('unsupported', 'larger objects are copied in parts, within their bucket');
        await copyWhole(location, to, ask);
      },
    },

    async remove(keys, ask) {
      const together = keys.length > 1 && deletesMany ? keys.filter(fitsXml) : [];
      if (together.length > 0) deletesMany = await removeMany(together, ask);
      const alone = deletesMany && together.length > 0 ? keys.filter((key) => !fitsXml(key)) : keys;
      await inParallel(alone, width, (key) => removeOne(key, ask));
    },

    close: () => client.close(),
  };
}

async function getPart(ask: RequestBytes, range: ByteRange, signal: AbortSignal): Promise<HttpResponse> {
  const response = await ask(rangeHeader(range), signal);
  if (response.status === 206) return response;
  await response.discard();
  throw new ConnectorError('unexpected', 'the service has no ranges');
}

/** Parses the response to a copy, which starts before the work is done: a 200 may contain an error. */
async function copied(response: HttpResponse): Promise<string> {
  const answer = await response.text();
  if (answer.includes('<Error>')) throw s3Error({ ...failureIn(answer), status: response.status });
  return answer;
}
