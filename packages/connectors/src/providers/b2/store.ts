import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type Leftovers, noLeftovers } from '../../core/leftovers.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { bodyHash, verified } from '../../kit/hash/content-hash.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import type { ObjectStore, PutOptions, StoredObject } from '../../kit/object-store/object-store.ts';
import type { PartSizes } from '../../kit/object-store/upload-parts.ts';
import { type FileVersion, VersionsAnswer, objectOfHeaders, sha1Of, toObject } from './api.ts';
import type { Buckets } from './buckets.ts';
import type { B2Client } from './client.ts';
import { type Target, createCopy } from './large-file.ts';
import { createListing } from './listing.ts';
import { type Address, addressOf, checkName, encodeName, isKeeper, keeperOf } from './names.ts';
import { createParts } from './parts.ts';
import { b2PartSizes, createUpload } from './upload.ts';
import { createVersions } from './versions.ts';

export interface StoreOptions {
  /** Names per listing page, at most 10,000. */
  readonly pageSize?: number;
  readonly sizes?: PartSizes;
  /** The largest file copied by one call, and the part size of larger ones, in bytes. */
  readonly copying?: { readonly single: number; readonly part: number };
  readonly leftovers?: Leftovers;
  /** Size of a resumable part in bytes. */
  readonly usualPart?: number;
}

/** https://www.backblaze.com/apidocs/b2-copy-file */
const defaultCopying = { single: 5_000_000_000, part: 1_000_000_000 } as const;
/** Concurrent hide requests. */
const hideWidth = 8;

/**
 * A whole account as one object store, so that files are copied between buckets on B2's side: the first segment of a key is the bucket. A
 * folder is kept by an empty placeholder file; buckets need none.
 */
export function createB2Store(client: B2Client, buckets: Buckets, options: StoreOptions = {}): ObjectStore {
  const { pageSize = 1000, sizes = b2PartSizes, copying = defaultCopying, leftovers = noLeftovers, usualPart } = options;
  const upload = createUpload(client, sizes, leftovers);
  const copyFile = createCopy(client, copying, leftovers);

  async function targetOf(key: string, { signal }: CallOptions): Promise<Target> {
    const { bucket, name } = addressOf(key);
    const bucketId = await buckets.idOf(bucket, signal);
    if (bucketId === undefined) throw new ConnectorError('notFound', 'no such bucket');
    const stored = key.endsWith('/') ? keeperOf(name) : name;
    checkName(stored);
    return { bucketId, name: stored };
  }

  async function download(
    method: 'GET' | 'HEAD',
    file: Address,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { bucket, name } = file;
    return client.download({ method, path: `/file/${encodeName(bucket)}/${encodeName(name)}`, headers, signal });
  }

  async function headOf(key: string, file: Address, { signal }: CallOptions): Promise<StoredObject | undefined> {
    try {
      const response = await download('HEAD', file, {}, signal);
      await response.discard();
      const object = objectOfHeaders(key, response.headers);
      return isKeeper(file.name) ? { ...object, size: 0 } : object;
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  /**
   * B2 has no conditional uploads: a writer that finds another version of the same name uploaded just before deletes its own, so that the
   * first of two concurrent writers wins. Skipped for a key that may not delete versions.
   */
  async function yieldToEarlier({ bucketId, name }: Target, stored: FileVersion, { signal }: CallOptions): Promise<void> {
    const { capabilities } = await client.authorized(signal);
    if (!capabilities.has('deleteFiles') || !capabilities.has('listFiles')) return;
    const json = { bucketId, prefix: name, startFileName: name, maxFileCount: 100 };
    const list = () => client.call('b2_list_file_versions', VersionsAnswer, json, signal);
    const { files } = await retryWhileBusy(signal, list, isOutcomeUnknown);
    const versions = files.filter(({ fileName, action }) => fileName === name && action !== 'start');
    const own = versions.findIndex(({ fileId }) => fileId === stored.fileId);
    const before = own < 0 ? undefined : versions[own + 1];
    if (!before || before.action === 'hide') return;
    const fresh = { fileName: name, fileId: stored.fileId };
    await retryWhileBusy(signal, () => client.call('b2_delete_file_version', Type.Object({}), fresh, signal));
    throw new ConnectorError('alreadyExists', 'another upload of this name was faster');
  }

  async function hide(key: string, name: string, signal: AbortSignal): Promise<void> {
    const bucketId = await buckets.idOf(addressOf(key).bucket, signal);
    if (bucketId === undefined || name === '') return;
    try {
      await client.call('b2_hide_file', Type.Object({}), { bucketId, fileName: name }, signal);
    } catch (error) {
      if (!isKind(error, 'notFound')) throw error;
    }
  }

  async function fileTarget(key: string, ask: CallOptions): Promise<Target> {
    const target = await targetOf(key, ask);
    if (isKeeper(target.name) && !key.endsWith('/')) throw new ConnectorError('badName', 'this name keeps folders');
    return target;
  }

  async function put(key: string, body: Readable, ask: PutOptions): Promise<StoredObject> {
    const target = await fileTarget(key, ask);
    return stored(key, await upload(target, body, ask), ask);
  }

  async function stored(key: string, version: FileVersion, ask: PutOptions): Promise<StoredObject> {
    if (ask.ifAbsent) await yieldToEarlier(await targetOf(key, ask), version, ask);
    return toObject(addressOf(key).bucket, version);
  }

  return {
    listsFileTimes: true,
    list: createListing(client, buckets, pageSize),

    async head(key, ask) {
      const { bucket, name } = addressOf(key);
      if (name === '') return key.endsWith('/') && (await buckets.idOf(bucket, ask.signal)) !== undefined ? { key, size: 0 } : undefined;
      if (!key.endsWith('/')) return isKeeper(name) ? undefined : headOf(key, { bucket, name }, ask);
      return (await headOf(key, { bucket, name: keeperOf(name) }, ask)) ?? headOf(key, { bucket, name }, ask);
    },

    async get(key, { range, signal }) {
      const file = addressOf(key);
      if (isKeeper(file.name)) throw new ConnectorError('notFound', 'this file keeps a folder');
      const whole = !range || (range.start === 0 && range.end === undefined);
      const headers: Record<string, string> = whole
        ? {}
        : { range: `bytes=${range.start}-${range.end === undefined ? '' : range.end - 1}` };
      const response = await download('GET', file, headers, signal);
      if (!whole && response.status !== 206) {
        response.body().cancel();
        throw new ConnectorError('unexpected', 'the service has no ranges');
      }
      const sha1 = whole ? sha1Of(response.headers) : undefined;
      const object = objectOfHeaders(key, response.headers);
      return { object, body: (entry) => verified(response.body(entry), sha1, bodyHash('sha1')) };
    },

    put,
    versions: createVersions({
      client,
      buckets,
      targetOf: fileTarget,
      copy: copyFile,
      async clock(key, { signal }) {
        const { bucket, name } = addressOf(key);
        const stored = key.endsWith('/') ? keeperOf(name) : name;
        const response = await download('HEAD', { bucket, name: stored }, {}, signal);
        await response.discard();
        const told = Date.parse(response.headers['date'] ?? '');
        return Number.isFinite(told) ? told : Date.now();
      },
    }),
    uploads: createParts(client, { leftovers, targetOf: fileTarget, stored, usualPart }),
    hashes: ['sha1'],

    async copy(from, to, ask) {
      const target = await targetOf(to, ask);
      // A bucket has no placeholder file to copy.
      if (from.etag === undefined) await put(to, Readable.from([]), { ...ask, size: 0 });
      else await copyFile(from, target, ask.signal);
    },
    others: {
      service: 'b2',
      locationOf: ({ etag = '' }) => etag,
      copy: async (fileId, object, to, ask) => copyFile({ ...object, etag: fileId }, await targetOf(to, ask), ask.signal),
    },

    async remove(keys, { signal }) {
      await inParallel(keys, hideWidth, async (key) => {
        const { name } = addressOf(key);
        if (key.endsWith('/')) await hide(key, keeperOf(name), signal);
        await hide(key, name, signal);
      });
    },

    close: () => client.close(),
  };
}
