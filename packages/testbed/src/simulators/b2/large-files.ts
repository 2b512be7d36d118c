import type { SimulatedRequest } from '../kit/index.ts';
import type { Keys } from './keys.ts';
import { checkName, typeOf } from './names.ts';
import { accountId, largeJson, no, partJson, versionJson } from './replies.ts';
import { type B2Contents, type LargeFile, type State, wholes } from './state.ts';
import type { Uploads } from './uploads.ts';

interface Start {
  readonly bucketId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly fileInfo?: Readonly<Record<string, string>>;
}
interface ListParts {
  readonly fileId: string;
  readonly startPartNumber?: number;
  readonly maxPartCount?: number;
}
interface CopyPart {
  readonly sourceFileId: string;
  readonly largeFileId: string;
  readonly partNumber: number;
  readonly range?: string;
}

/** https://www.backblaze.com/docs/cloud-storage-large-files */
export const smallestPart = 5_000_000;

/** https://www.backblaze.com/apidocs/b2-list-parts */
const mostListed = 1000;

/** Files assembled from uploaded or copied parts. */
export function createLargeFiles(state: State, keys: Keys, contents: B2Contents, uploads: Uploads) {
  function find(request: SimulatedRequest, fileId: string): LargeFile {
    const large = state.large.get(fileId);
    if (!large) throw no(400, 'bad_request', 'No active upload for the file');
    keys.bucketFor(request, large.bucket.id, large.fileName);
    return large;
  }

  return {
    start(request: SimulatedRequest) {
      const { bucketId, fileName, contentType, fileInfo = {} } = request.json<Start>();
      const bucket = keys.bucketFor(request, bucketId, fileName);
      checkName(fileName);
      const large: LargeFile = {
        fileId: state.newId(),
        bucket,
        fileName,
        contentType: typeOf(contentType, fileName),
        fileInfo,
        begun: state.now(),
        parts: new Map(),
      };
      state.large.set(large.fileId, large);
      return { json: largeJson(large) };
    },

    place(request: SimulatedRequest) {
      const large = find(request, request.json<{ readonly fileId: string }>().fileId);
      return { json: { fileId: large.fileId, ...uploads.place(request, 'b2_upload_part', { large }) } };
    },

    async copyPart(request: SimulatedRequest) {
      const { sourceFileId, largeFileId, partNumber, range } = request.json<CopyPart>();
      const large = find(request, largeFileId);
      const source = state.find(sourceFileId);
      if (!source || source.version.action === 'hide') throw no(400, 'no_such_file', 'File not present');
      const { content } = source.version;
      const [, first = '0', last = String(content.size - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      if (Number(last) >= content.size) throw no(416, 'range_not_satisfiable');
      const part = await contents.receive(content.open(Number(first), Number(last) + 1));
      large.parts.set(partNumber, part);
      return { json: partJson(large.fileId, partNumber, part, state.now()) };
    },

    list(request: SimulatedRequest) {
      const { fileId, startPartNumber = 1, maxPartCount = 100 } = request.json<ListParts>();
      const large = find(request, fileId);
      if (maxPartCount > mostListed) throw no(400, 'bad_request', 'maxPartCount is too large');
      const parts = [...large.parts].filter(([number]) => number >= startPartNumber).sort(([a], [b]) => a - b);
      const page = parts.slice(0, maxPartCount).map(([number, part]) => partJson(fileId, number, part, large.begun));
      return { json: { parts: page, nextPartNumber: parts[maxPartCount]?.[0] ?? null } };
    },

    async finish(request: SimulatedRequest) {
      const { fileId, partSha1Array } = request.json<{ readonly fileId: string; readonly partSha1Array: readonly string[] }>();
      const large = find(request, fileId);
      const parts = [...large.parts].sort(([a], [b]) => a - b);
      if (parts.length < 2) throw no(400, 'bad_request', 'large files must have at least 2 parts');
      if (parts.length !== partSha1Array.length || parts.some(([number], index) => number !== index + 1))
        throw no(400, 'bad_request', 'parts are missing');
      if (parts.some(([, { hashes }], index) => hashes.sha1 !== partSha1Array[index])) throw no(400, 'bad_request', 'sha1s do not match');
      if (parts.slice(0, -1).some(([, { size }]) => size < smallestPart)) throw no(400, 'bad_request', 'a part is smaller than 5 MB');
      const content = await wholes.concat(parts.map(([, part]) => part));
      state.large.delete(fileId);
      const { bucket, fileName, contentType, fileInfo } = large;
      const version = { fileId, fileName, action: 'upload' as const, content, contentSha1: 'none', contentType, fileInfo };
      const added = { ...version, uploadTimestamp: state.now() };
      state.add(bucket, added);
      return { json: versionJson(bucket, added) };
    },

    cancel(request: SimulatedRequest) {
      const { fileId, bucket, fileName } = find(request, request.json<{ readonly fileId: string }>().fileId);
      state.large.delete(fileId);
      return { json: { fileId, accountId, bucketId: bucket.id, fileName } };
    },
  };
}
