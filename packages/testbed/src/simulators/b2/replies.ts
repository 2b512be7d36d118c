import { type Problem, type Reply, refuse } from '../kit/index.ts';
import type { B2Content, Bucket, LargeFile, Version } from './state.ts';

export const accountId = 'a1b2c3d4e5f6';

/** B2's own words: https://www.backblaze.com/docs/cloud-storage-native-api-error-handling */
export const failure = (status: number, code: string, message = ''): Reply => ({ status, json: { status, code, message } });
export const no = (status: number, code: string, message = '') => refuse(failure(status, code, message));

export function problemReply(problem: Problem): Reply {
  switch (problem.kind) {
    case 'badRequest':
      return failure(400, 'bad_request', problem.why);
    case 'unknownOperation':
      return failure(404, 'not_found', problem.why);
    case 'notSimulated':
      return failure(501, 'method_failure', problem.why);
    case 'unauthorized':
      return failure(401, problem.reason === 'expired' ? 'expired_auth_token' : 'bad_auth_token');
    case 'forbidden':
      return failure(401, 'unauthorized');
    case 'rateLimited':
      return failure(429, 'too_many_requests');
    case 'broken':
      return failure(500, 'internal_error', problem.why);
  }
}

const readable = (value: unknown) => ({ isClientAuthorizedToRead: true, value });
const plain = { serverSideEncryption: { mode: null, algorithm: null } };

export const bucketJson = ({ id, name }: Bucket) => ({
  accountId,
  bucketId: id,
  bucketName: name,
  bucketType: 'allPrivate',
  bucketInfo: {},
  corsRules: [],
  defaultServerSideEncryption: readable({ mode: null, algorithm: null }),
  fileLockConfiguration: readable({ isFileLockEnabled: false, defaultRetention: { mode: null, period: null } }),
  lifecycleRules: [],
  options: [],
  revision: 2,
  replicationConfiguration: readable(null),
});

export const versionJson = (bucket: Bucket, { content, ...version }: Version) => ({
  ...version,
  ...plain,
  accountId,
  bucketId: bucket.id,
  contentLength: content.size,
  contentSha1: version.action === 'hide' ? null : version.contentSha1,
  contentMd5: version.action === 'hide' || version.contentSha1 === 'none' ? null : (content.hashes['md5'] ?? null),
});

export const folderJson = (bucket: Bucket, fileName: string) => ({
  accountId,
  action: 'folder',
  bucketId: bucket.id,
  contentLength: 0,
  contentMd5: null,
  contentSha1: null,
  contentType: null,
  fileId: null,
  fileInfo: {},
  fileName,
  uploadTimestamp: 0,
});

export const largeJson = ({ bucket, fileId, fileName, contentType, fileInfo, begun }: LargeFile) => ({
  ...plain,
  accountId,
  action: 'start',
  bucketId: bucket.id,
  contentLength: 0,
  contentMd5: null,
  contentSha1: 'none',
  contentType,
  fileId,
  fileInfo,
  fileName,
  uploadTimestamp: begun,
});

export const partJson = (fileId: string, partNumber: number, { size, hashes }: B2Content, uploadTimestamp: number) => ({
  ...plain,
  fileId,
  partNumber,
  contentLength: size,
  contentSha1: hashes.sha1,
  contentMd5: hashes.md5,
  uploadTimestamp,
});

export function downloadHeaders({
  fileId,
  fileName,
  contentSha1,
  contentType,
  fileInfo,
  uploadTimestamp,
}: Version): Record<string, string> {
  const info = Object.entries(fileInfo).map(([key, value]) => [`x-bz-info-${key}`, encodeURIComponent(value)]);
  return {
    'content-type': contentType,
    'x-bz-file-id': fileId,
    'x-bz-file-name': fileName.split('/').map(encodeURIComponent).join('/'),
    'x-bz-content-sha1': contentSha1,
    'x-bz-upload-timestamp': String(uploadTimestamp),
    ...Object.fromEntries(info),
  };
}
