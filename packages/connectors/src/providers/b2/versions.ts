import { type Static, Type } from 'typebox';
import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type KeptVersion, mostVersions } from '../../core/replacing.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
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
  /** The time of an answer about the object, in epoch ms. */
  readonly clock: (key: string, ask: CallOptions) => Promise<number>;
}

const pageSize = 1000;
const Page = Type.Object({
  ...VersionsAnswer.properties,
  nextFileName: Type.Union([Type.String(), Type.Null()]),
  nextFileId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Every file has its versions, and a deleted one a version that hides them: https://www.backblaze.com/docs/cloud-storage-file-versions */
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
      // A file's own versions come before those of longer names.
      for await (const files of pagesOf(bucketId, name, ask))
        for (const { fileName, fileId, action, contentLength, uploadTimestamp } of files) {
          if (fileName !== name || found.length === mostVersions) return found;
          if (!fileId || fileId === etag || action === 'hide' || action === 'start') continue;
          found.push({ id: fileId, size: contentLength, modified: uploadTimestamp / 1000 });
        }
      return found;
    },

    async *hidden(prefix, ask) {
      const { bucket, name } = addressOf(prefix);
      const bucketId = await buckets.idOf(bucket, ask.signal);
      if (bucketId === undefined) return;
      // A marker comes right before what it hides, perhaps on the next page.
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
        // Removed by an earlier try.
        if (!isKind(error, 'notFound')) throw error;
      }
    },
  };
}
