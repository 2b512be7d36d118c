import { type Static, Type } from 'typebox';
import { ConnectorError } from '../../core/error.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import { isKeeper, keyOf } from './names.ts';

const Maybe = Type.Union([Type.String(), Type.Null()]);

/** https://www.backblaze.com/apidocs/b2-authorize-account (version 4) */
export const AuthorizeAnswer = Type.Object({
  accountId: Type.String(),
  authorizationToken: Type.String({ minLength: 1 }),
  apiInfo: Type.Object({
    storageApi: Type.Object({
      apiUrl: Type.String(),
      downloadUrl: Type.String(),
      s3ApiUrl: Type.Optional(Type.String()),
      absoluteMinimumPartSize: Type.Number(),
      allowed: Type.Object({
        capabilities: Type.Array(Type.String()),
        buckets: Type.Optional(Type.Union([Type.Array(Type.Object({ id: Type.String(), name: Maybe })), Type.Null()])),
        namePrefix: Type.Optional(Maybe),
      }),
    }),
  }),
});

export const BucketsAnswer = Type.Object({ buckets: Type.Array(Type.Object({ bucketId: Type.String(), bucketName: Type.String() })) });

/** A version of a file, or the common prefix of several names (`folder`). https://www.backblaze.com/docs/cloud-storage-file-versions */
export const FileVersion = Type.Object({
  action: Type.String(),
  fileName: Type.String(),
  fileId: Type.Optional(Maybe),
  contentLength: Type.Number(),
  contentSha1: Type.Optional(Maybe),
  contentType: Type.Optional(Maybe),
  fileInfo: Type.Optional(Type.Record(Type.String(), Type.String())),
  uploadTimestamp: Type.Number(),
});
export type FileVersion = Static<typeof FileVersion>;

export const FilesAnswer = Type.Object({ files: Type.Array(FileVersion), nextFileName: Maybe });
export const VersionsAnswer = Type.Object({ files: Type.Array(FileVersion) });
export const UploadPlace = Type.Object({ uploadUrl: Type.String(), authorizationToken: Type.String() });
export type UploadPlace = Static<typeof UploadPlace>;
export const LargeFile = Type.Object({ fileId: Type.String() });
export const PartAnswer = Type.Object({ contentSha1: Type.String() });
/** https://www.backblaze.com/apidocs/b2-list-parts */
export const PartsAnswer = Type.Object({
  parts: Type.Array(Type.Object({ partNumber: Type.Integer({ minimum: 1 }), contentLength: Type.Number(), contentSha1: Type.String() })),
  nextPartNumber: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
});
export const ErrorAnswer = Type.Object({ code: Type.String() });

/** Stores a file's modification time in milliseconds, under the name that Backblaze recommends. */
const timeInfo = 'src_last_modified_millis';

/** Metadata stored with a file. */
export const fileInfoOf = (fileTime: number | undefined): Record<string, string> =>
  fileTime === undefined ? {} : { [timeInfo]: String(Math.round(fileTime * 1000)) };

/** The object of a listed or just stored version. Its id serves as the etag: it is unique per version. */
export const toObject = (
  bucket: string,
  { fileName, fileId, contentLength, contentSha1, contentType, fileInfo, uploadTimestamp }: FileVersion,
): StoredObject =>
  objectOf(keyOf(bucket, fileName), isKeeper(fileName) ? 0 : contentLength, {
    id: fileId ?? undefined,
    mimeType: contentType ?? undefined,
    uploaded: uploadTimestamp,
    millis: fileInfo?.[timeInfo],
    sha1: isKeeper(fileName) ? undefined : sha1Among(contentSha1, fileInfo?.[largeSha1]),
  });

/** Reads an object's properties from download headers. `size` is the size of the whole object, also for a range request. */
export function objectOfHeaders(key: string, headers: Readonly<Record<string, string>>): StoredObject {
  const size = Number(/\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length']);
  if (!Number.isSafeInteger(size)) throw new ConnectorError('unexpected', 'a file of no size');
  return objectOf(key, size, {
    id: headers['x-bz-file-id'],
    mimeType: headers['content-type'],
    uploaded: Number(headers['x-bz-upload-timestamp'] || Number.NaN),
    millis: headers[`x-bz-info-${timeInfo}`],
    sha1: sha1Of(headers),
  });
}

/** Where writers of large files store their SHA-1: https://www.backblaze.com/docs/cloud-storage-large-files */
const largeSha1 = 'large_file_sha1';

/** The SHA-1 of the whole file; undefined for a file uploaded in parts without a declared SHA-1. */
export const sha1Of = (headers: Readonly<Record<string, string>>): string | undefined =>
  sha1Among(headers['x-bz-content-sha1'], headers[`x-bz-info-${largeSha1}`]);

/** A SHA-1 that B2 has not verified begins with `unverified:` and does not count. */
const sha1Among = (...told: readonly (string | null | undefined)[]): string | undefined =>
  told.find((text) => typeof text === 'string' && /^[0-9a-f]{40}$/i.test(text))?.toLowerCase();

interface Facts {
  readonly id: string | undefined;
  readonly mimeType: string | undefined;
  /** Epoch ms. */
  readonly uploaded: number;
  readonly millis: string | undefined;
  readonly sha1: string | undefined;
}

function objectOf(key: string, size: number, { id, mimeType, uploaded, millis, sha1 }: Facts): StoredObject {
  const own = Number(millis || Number.NaN) / 1000;
  return {
    key,
    size,
    ...(id !== undefined && { etag: id }),
    ...(Number.isFinite(uploaded) && { modified: Math.floor(uploaded / 1000) }),
    ...(Number.isFinite(own) && { fileTime: own }),
    ...(mimeType !== undefined && { mimeType }),
    ...(sha1 !== undefined && { hashes: { sha1 } }),
  };
}
