import { type SimulatedRequest, answerContent } from '../kit/index.ts';
import type { Keys } from './keys.ts';
import { checkName } from './names.ts';
import { downloadHeaders, failure, largeJson, no, versionJson } from './replies.ts';
import type { B2Contents, Bucket, State, Version } from './state.ts';

interface Copy {
  readonly sourceFileId: string;
  readonly destinationBucketId?: string;
  readonly fileName: string;
}

const largestCopy = 5_000_000_000;

/** Versions of files: list, copy, hide, delete, download. https://www.backblaze.com/docs/cloud-storage-file-versions */
export function createFiles(state: State, keys: Keys, contents: B2Contents) {
  function find(request: SimulatedRequest, fileId: string): { readonly bucket: Bucket; readonly version: Version } {
    const found = state.find(fileId);
    if (!found) throw no(404, 'not_found', 'file_state_none');
    keys.bucketFor(request, found.bucket.id, found.version.fileName);
    return found;
  }

  function download(request: SimulatedRequest, version: Version | undefined) {
    if (!version || version.action === 'hide') throw no(404, 'not_found', 'File with such name does not exist.');
    const unsatisfiable = failure(416, 'range_not_satisfiable');
    return answerContent(request, version.content, { type: version.contentType, headers: downloadHeaders(version), unsatisfiable });
  }

  return {
    info(request: SimulatedRequest) {
      const { fileId } = request.json<{ readonly fileId: string }>();
      const large = state.large.get(fileId);
      if (large) {
        keys.bucketFor(request, large.bucket.id, large.fileName);
        return { json: largeJson(large) };
      }
      const { bucket, version } = find(request, fileId);
      return { json: versionJson(bucket, version) };
    },

    copy(request: SimulatedRequest) {
      const { sourceFileId, destinationBucketId, fileName } = request.json<Copy>();
      const source = find(request, sourceFileId);
      const bucket = keys.bucketFor(request, destinationBucketId ?? source.bucket.id, fileName);
      checkName(fileName);
      if (source.version.content.size > largestCopy) throw no(400, 'bad_request', 'too large for one copy');
      const version: Version = { ...source.version, fileId: state.newId(), fileName, action: 'copy', uploadTimestamp: state.now() };
      state.add(bucket, version);
      return { json: versionJson(bucket, version) };
    },

    hide(request: SimulatedRequest) {
      const { bucketId, fileName } = request.json<{ readonly bucketId: string; readonly fileName: string }>();
      const bucket = keys.bucketFor(request, bucketId, fileName);
      const [newest] = bucket.versions.get(fileName) ?? [];
      if (!newest) throw no(400, 'no_such_file', `File not present: ${fileName}`);
      if (newest.action === 'hide') throw no(400, 'already_hidden', `Already hidden: ${fileName}`);
      const version: Version = {
        fileId: state.newId(),
        fileName,
        action: 'hide',
        content: contents.of(''),
        contentSha1: 'none',
        contentType: 'application/x-bz-hide-marker',
        fileInfo: {},
        uploadTimestamp: state.now(),
      };
      state.add(bucket, version);
      return { json: versionJson(bucket, version) };
    },

    delete(request: SimulatedRequest) {
      const { fileId, fileName } = request.json<{ readonly fileId: string; readonly fileName: string }>();
      const found = state.find(fileId);
      if (!found || found.version.fileName !== fileName) throw no(400, 'file_not_present', `File not present: ${fileName} ${fileId}`);
      keys.bucketFor(request, found.bucket.id, fileName);
      state.drop(found.bucket, found.version);
      return { json: { fileId, fileName } };
    },

    byId: (request: SimulatedRequest) => download(request, find(request, request.query.get('fileId') ?? '').version),

    byName(request: SimulatedRequest) {
      const { bucketName = '', fileName = '' } = request.params;
      const bucket = state.bucketNamed(bucketName);
      if (!bucket) throw no(404, 'not_found', `Bucket ${bucketName} does not exist`);
      keys.bucketFor(request, bucket.id, fileName);
      return download(request, state.current(bucket, fileName));
    },
  };
}
