import { randomUUID } from 'node:crypto';
import { type Content, createContents, nodeHash } from '../kit/index.ts';

export type B2Content = Content<'sha1' | 'md5'>;
const keepUpTo = 64 * 1024 * 1024;
export const createB2Contents = () => createContents({ hashes: { sha1: nodeHash('sha1'), md5: nodeHash('md5') }, keepUpTo });
/** Files assembled from parts have no hash: their contents are built without one. */
export const wholes = createContents({ hashes: {}, keepUpTo });
export type B2Contents = ReturnType<typeof createB2Contents>;

export interface Version {
  readonly fileId: string;
  readonly fileName: string;
  readonly action: 'upload' | 'hide' | 'copy';
  readonly content: Content;
  /** `none` for a file assembled from parts. */
  readonly contentSha1: string;
  readonly contentType: string;
  readonly fileInfo: Readonly<Record<string, string>>;
  readonly uploadTimestamp: number;
}

export interface Bucket {
  readonly id: string;
  readonly name: string;
  /** Names in order, with all versions of each, the newest first. */
  readonly names: string[];
  readonly versions: Map<string, Version[]>;
}

/** An unfinished large file. */
export interface LargeFile {
  readonly fileId: string;
  readonly bucket: Bucket;
  readonly fileName: string;
  readonly contentType: string;
  readonly fileInfo: Readonly<Record<string, string>>;
  readonly begun: number;
  readonly parts: Map<number, B2Content>;
}

/** What an account holds. */
export function createState() {
  const buckets = new Map<string, Bucket>();
  const large = new Map<string, LargeFile>();
  let last = 0;

  return {
    buckets,
    large,
    /** Strictly increasing, so that versions have an order. */
    now: (): number => (last = Math.max(Date.now(), last + 1)),
    newId: (): string => `4_z${randomUUID().replaceAll('-', '')}`,
    createBucket(name: string): Bucket {
      const bucket: Bucket = { id: randomUUID().replaceAll('-', '').slice(0, 24), name, names: [], versions: new Map() };
      buckets.set(bucket.id, bucket);
      return bucket;
    },
    bucketNamed: (name: string): Bucket | undefined => [...buckets.values()].find((bucket) => bucket.name === name),
    add({ names, versions }: Bucket, version: Version): void {
      const known = versions.get(version.fileName);
      if (known) known.unshift(version);
      else {
        versions.set(version.fileName, [version]);
        names.splice(placeOf(names, version.fileName), 0, version.fileName);
      }
    },
    drop({ names, versions }: Bucket, version: Version): void {
      const left = (versions.get(version.fileName) ?? []).filter(({ fileId }) => fileId !== version.fileId);
      versions.set(version.fileName, left);
      if (left.length > 0) return;
      versions.delete(version.fileName);
      names.splice(placeOf(names, version.fileName), 1);
    },
    /** The version that downloads by name return. */
    current: ({ versions }: Bucket, name: string): Version | undefined => {
      const [newest] = versions.get(name) ?? [];
      return newest?.action === 'hide' ? undefined : newest;
    },
    find(fileId: string): { readonly bucket: Bucket; readonly version: Version } | undefined {
      for (const bucket of buckets.values())
        for (const list of bucket.versions.values()) for (const version of list) if (version.fileId === fileId) return { bucket, version };
      return undefined;
    },
  };
}
export type State = ReturnType<typeof createState>;

/** Returns a name's index in the order, or where it would be inserted. */
export function placeOf(names: readonly string[], name: string): number {
  let low = 0;
  for (let high = names.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
