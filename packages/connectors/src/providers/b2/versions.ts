import { type Static, Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type KeptVersion, mostVersions } from '../../core/replacing.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import type { HiddenObject, ObjectVersions } from '../../kit/object-store/object-versions.ts';
import { FileVersion, VersionsAnswer } from './api.ts';
import type { Buckets } from './buckets.ts';
import type { B2Client } from './client.ts';
import type { Target } from './large-file.ts';
import { addressOf, plainKeyOf } from './names.ts';

interface Deps {
  readonly client: B2Client;
  readonly buckets: Buckets;
  readonly targetOf: (key: string, ask: CallOptions) => Promise<Target>;
  readonly copy: (from: StoredObject, target: Target, signal: AbortSignal) => Promise<void>;
  /** Returns the service's time in epoch ms, from a response about the object. */
  readonly clock: (key: string, ask: CallOptions) => Promise<number>;
}

/** Returns the name in a download's headers, percent-encoded: https://www.backblaze.com/docs/cloud-storage-native-api-string-encoding */
const nameIn = (headers: Readonly<Record<string, string>>): string =>
  decodeURIComponent((headers['x-bz-file-name'] ?? '').replaceAll('+', ' '));

const pageSize = 1000;
const Page = Type.Object({
  ...VersionsAnswer.properties,
  nextFileName: Type.Union([Type.String(), Type.Null()]),
  nextFileId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/**
 * B2 keeps versions of every file; deleting a file adds a version that hides the others:
 * https://www.backblaze.com/docs/cloud-storage-file-versions
 */
export function createVersions({ client, buckets, targetOf, copy, clock }: Deps): ObjectVersions {
  async function* pagesOf(bucketId: string, prefix: string, { signal }: CallOptions): AsyncGenerator<readonly FileVersion[]> {
    for (let from: Readonly<Record<string, string>> | undefined = {}; from;) {
      const json: Readonly<Record<string, unknown>> = { bucketId, prefix, maxFileCount: pageSize, ...from };
      const { files, nextFileName, nextFileId }: Static<typeof Page> = await retryWhileBusy(
        signal,
        () => client.call('b2_list_file_versions', Page, json, signal),
        isOutcomeUnknown,
      );
      yield files;
      from = nextFileName === null ? undefined : { startFileName: nextFileName, ...(nextFileId && { startFileId: nextFileId }) };
    }
  }

  return {
    of: ({ etag }) => etag,
    clock,

    async restore(key, fileId, ask) {
      const target = await targetOf(key, ask);
      const info = await client.call('b2_get_file_info', FileVersion, { fileId }, ask.signal);
      if (info.fileName !== target.name) throw new ConnectorError('notFound', 'the version is one of another file');
      await copy({ key, size: info.contentLength, etag: fileId }, target, ask.signal);
    },

    async earlier({ key, etag }, ask) {
      const { bucket, name } = addressOf(key);
      const bucketId = await buckets.idOf(bucket, ask.signal);
      const found: KeptVersion[] = [];
      if (bucketId === undefined) return found;
      // Versions of the file itself come before those of longer names.
      for await (const files of pagesOf(bucketId, name, ask))
        for (const { fileName, fileId, action, contentLength, uploadTimestamp } of files) {
          if (fileName !== name || found.length === mostVersions) return found;
          if (!fileId || fileId === etag || action === 'hide' || action === 'start') continue;
          found.push({ id: fileId, size: contentLength, modified: uploadTimestamp / 1000 });
        }
      return found;
    },

    async read(key, fileId, { range, signal }) {
      const path = `/b2api/v4/b2_download_file_by_id?fileId=${encodeURIComponent(fileId)}`;
      const response = await client.download({ method: 'GET', path, headers: rangeHeader(range), signal });
      if (nameIn(response.headers) === addressOf(key).name) return partOf(response, range);
      response.body().cancel();
      throw new ConnectorError('notFound', 'the version is one of another file');
    },

    async *hidden(prefix, ask) {
      const { bucket, name } = addressOf(prefix);
      const bucketId = await buckets.idOf(bucket, ask.signal);
      if (bucketId === undefined) return;
      // A hide marker comes right before the version it hides, possibly on the previous page.
      let marker: FileVersion | undefined;
      for await (const files of pagesOf(bucketId, name, ask)) {
        const found: HiddenObject[] = [];
        for (const file of files) {
          if (marker?.fileId && marker.fileName === file.fileName && file.action !== 'hide')
            found.push({
              key: plainKeyOf(bucket, file.fileName),
              marker: marker.fileId,
              at: marker.uploadTimestamp,
              size: file.contentLength,
            });
          marker = file.action === 'hide' ? file : undefined;
        }
        yield found;
      }
    },

    async reveal({ key, marker }, { signal }) {
      const json = { fileName: addressOf(key).name, fileId: marker };
      try {
        await client.call('b2_delete_file_version', Type.Object({}), json, signal);
      } catch (error) {
        // An earlier attempt has removed it.
        if (!isKind(error, 'notFound')) throw error;
      }
    },
  };
}
