import type { SimulatedRequest } from '../kit/index.ts';
import type { Keys } from './keys.ts';
import { folderJson, versionJson } from './replies.ts';
import { type Bucket, type State, placeOf } from './state.ts';

interface Request {
  readonly bucketId: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly startFileName?: string;
  readonly startFileId?: string;
  readonly maxFileCount?: number;
}

const mostFiles = 10_000;
const usualFiles = 100;

/** Listings of names and of versions. https://www.backblaze.com/apidocs/b2-list-file-names */
export function createListings(state: State, keys: Keys) {
  /** Yields the names with the prefix, from a start on. */
  function* namesFrom({ names }: Bucket, prefix: string, start: string): Generator<string> {
    for (let at = placeOf(names, start > prefix ? start : prefix); at < names.length; at++) {
      const name = names[at] ?? '';
      if (!name.startsWith(prefix)) return;
      yield name;
    }
  }

  const countOf = (asked: number | undefined): number => Math.min(asked ?? usualFiles, mostFiles);

  return {
    names(request: SimulatedRequest) {
      const { bucketId, prefix = '', delimiter, startFileName = '', maxFileCount } = request.json<Request>();
      const bucket = keys.bucketFor(request, bucketId, prefix);
      const files: object[] = [];
      let folder: string | undefined;
      for (const name of namesFrom(bucket, prefix, startFileName)) {
        if (folder !== undefined && name.startsWith(folder)) continue;
        const version = state.current(bucket, name);
        if (!version) continue;
        if (files.length === countOf(maxFileCount)) return { json: { files, nextFileName: name } };
        const cut = delimiter ? name.indexOf(delimiter, prefix.length) : -1;
        folder = cut < 0 ? undefined : name.slice(0, cut + (delimiter?.length ?? 0));
        files.push(folder === undefined ? versionJson(bucket, version) : folderJson(bucket, folder));
      }
      return { json: { files, nextFileName: null } };
    },

    versions(request: SimulatedRequest) {
      const { bucketId, prefix = '', startFileName = '', startFileId, maxFileCount } = request.json<Request>();
      const bucket = keys.bucketFor(request, bucketId, prefix);
      const all = [...namesFrom(bucket, prefix, startFileName)].flatMap((name) => bucket.versions.get(name) ?? []);
      const from =
        startFileId === undefined
          ? 0
          : Math.max(
              0,
              all.findIndex(({ fileId }) => fileId === startFileId),
            );
      const next = all[from + countOf(maxFileCount)];
      const files = all.slice(from, from + countOf(maxFileCount)).map((version) => versionJson(bucket, version));
      return { json: { files, nextFileName: next?.fileName ?? null, nextFileId: next?.fileId ?? null } };
    },
  };
}
