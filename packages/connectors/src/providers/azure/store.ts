import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { VersionReadOptions } from '../../core/replacing.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import type { ObjectStore } from '../../kit/object-store/object-store.ts';
import type { PartSizes } from '../../kit/object-store/upload-parts.ts';
import { objectOfHeaders } from './api.ts';
import type { AzureClient } from './client.ts';
import { createListing } from './listing.ts';
import { createParts } from './parts.ts';
import { azurePartSizes, createUpload } from './upload.ts';
import { type OfBlob, createVersions } from './versions.ts';

export interface StoreOptions {
  /** Blobs per listing page, at most 5000. */
  readonly pageSize?: number;
  readonly sizes?: PartSizes;
  /** Size of a resumable part in bytes. */
  readonly usualPart?: number;
}

/** Concurrent deletions: there is no batch call that the emulator and every account support. */
const removeWidth = 8;
/** Maximum size in bytes of a blob that the service is asked to copy before it answers; it would accept up to 256 MiB. */
const atOnce = 64 * 1024 ** 2;
/** Polling interval in ms for a copy that the service makes asynchronously; doubles from `first` to `last`. */
const copyPoll = { first: 100, last: 5000 } as const;

/** One container as an object store. */
export function createAzureStore(
  client: AzureClient,
  { pageSize = 5000, sizes = azurePartSizes, usualPart }: StoreOptions = {},
): ObjectStore {
  const headersOf = async (blob: string, { signal }: CallOptions, of: OfBlob = {}) => {
    const response = await client.send({ method: 'HEAD', blob, query: of, signal });
    await response.discard();
    return response.headers;
  };

  const head: ObjectStore['head'] = async (key, ask) => {
    try {
      const headers = await headersOf(key, ask);
      // The blob already has the size and MD5 of its source, but its content cannot be read yet.
      if (headers['x-ms-copy-status'] === 'pending') throw new ConnectorError('rateLimited', 'the service is still copying this blob');
      return objectOfHeaders(key, headers);
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  };

  /** Removes the empty blob that a failed copy leaves under its final name. */
  const removeRemains = async (blob: string, copyId: string, { signal }: CallOptions): Promise<void> => {
    const { 'x-ms-copy-id': id, etag = '' } = await headersOf(blob, { signal });
    if (id !== copyId) return;
    const answer = await client.send({ method: 'DELETE', blob, headers: { 'if-match': etag }, signal });
    await answer.discard();
  };

  /** Cancels a copy at the service; a copy that has just succeeded is kept. */
  const giveUp = async (blob: string, copyId: string): Promise<void> => {
    const signal = AbortSignal.timeout(deadlines.aside);
    const query = { comp: 'copy', copyid: copyId };
    try {
      const answer = await client.send({ method: 'PUT', blob, query, headers: { 'x-ms-copy-action': 'abort' }, signal });
      await answer.discard();
    } catch (error) {
      if (isKind(error, 'alreadyExists', 'notFound')) return;
      throw error;
    }
    await removeRemains(blob, copyId, { signal });
  };

  /** Waits for an asynchronous copy; a cancelled copy is aborted at the service. */
  const copyEnds = async (blob: string, copyId: string, ask: CallOptions): Promise<void> => {
    for (let pause: number = copyPoll.first; ; pause = Math.min(pause * 2, copyPoll.last)) {
      let status: string | undefined;
      try {
        await sleep(pause, undefined, { signal: ask.signal });
        status = (await headersOf(blob, ask))['x-ms-copy-status'];
      } catch (error) {
        if (!ask.signal.aborted) throw error;
        await giveUp(blob, copyId);
        throw new ConnectorError('aborted', 'given up while copying', { cause: error });
      }
      if (status === 'success') return;
      if (status === 'pending') continue;
      await removeRemains(blob, copyId, ask);
      throw new ConnectorError('interrupted', `the copy ended as ${status ?? 'nothing'}`);
    }
  };

  const copyBlob = async (
    source: string,
    to: string,
    ask: CallOptions,
    conditions: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    const headers = { ...conditions, 'x-ms-copy-source': source };
    const response = await client.send({ method: 'PUT', blob: to, headers, signal: ask.signal });
    await response.discard();
    if (response.headers['x-ms-copy-status'] === 'pending') await copyEnds(to, response.headers['x-ms-copy-id'] ?? '', ask);
  };

  const open = async (key: string, { range, signal }: VersionReadOptions, of: OfBlob = {}): ReturnType<ObjectStore['get']> => {
    const whole = !range || (range.start === 0 && range.end === undefined);
    const headers: Record<string, string> = whole
      ? {}
      : { 'x-ms-range': `bytes=${range.start}-${range.end === undefined ? '' : range.end - 1}` };
    const response = await client.send({ method: 'GET', blob: key, query: of, headers, signal });
    const object = objectOfHeaders(key, response.headers);
    // For a range past the end the emulator returns an empty part where the service returns none.
    const pastEnd = !whole && range.start >= (object?.size ?? 0);
    if (object && !pastEnd) return { object, body: (entry) => response.body(entry) };
    await response.discard();
    throw object
      ? new ConnectorError('badRange', 'the range begins past the end')
      : new ConnectorError('notFound', 'this blob keeps a directory');
  };

  return {
    listsFileTimes: true,
    list: createListing(client, pageSize),

    head,

    get: (key, ask) => open(key, ask),

    put: createUpload(client, sizes),
    ...createParts(client, { head, usualPart }),
    hashes: ['md5'],
    versions: createVersions({
      client,
      pageSize,
      headersOf,
      copy: (key, of, ask, conditions) => copyBlob(client.addressOf(key, of), key, ask, conditions),
      async read(key, of, ask) {
        const { object, body } = await open(key, ask, of);
        return body({ size: object.size });
      },
    }),

    copy: (from, to, ask) => copyBlob(client.addressOf(from.key), to, ask),
    others: {
      service: `azure ${client.service}`,
      account: client.account,
      locationOf: ({ key }, forAccount) => (forAccount === client.account ? client.addressOf(key) : client.sharedAddressOf(key)),
      copy: (location, { size }, to, ask) =>
        copyBlob(location, to, ask, {
          'if-none-match': '*',
          // With this header the blob appears only when it is complete. The service supports it only for URLs that anybody may read.
          ...(location.includes('sig=') && size <= atOnce && { 'x-ms-requires-sync': 'true' }),
        }),
    },

    async remove(keys, { signal }) {
      const directories: string[] = [];
      await inParallel(keys, removeWidth, async (blob) => {
        try {
          const answer = await client.send({ method: 'DELETE', blob, headers: { 'x-ms-delete-snapshots': 'include' }, signal });
          await answer.discard();
        } catch (error) {
          if (isKind(error, 'isAFolder', 'notEmpty')) directories.push(blob);
          else if (!isKind(error, 'notFound')) throw error;
        }
      });
      return directories;
    },

    /** Accounts with a hierarchical namespace store directories, delete them only when empty, and refuse the snapshots header. */
    async removeDirectory(blob, ask) {
      try {
        if ((await headersOf(blob, ask))['x-ms-meta-hdi_isfolder'] !== 'true') return;
        const answer = await client.send({ method: 'DELETE', blob, signal: ask.signal });
        await answer.discard();
      } catch (error) {
        if (!isKind(error, 'notEmpty', 'notFound')) throw error;
      }
    },

    close: () => client.close(),
  };
}
