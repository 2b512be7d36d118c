import type { Content } from '../kit/index.ts';
import { refuseWith } from './replies.ts';

export type BlobContent = Content<'md5'>;

/** What the account's owner has enabled. */
export interface Settings {
  versioning: boolean;
  softDelete: boolean;
  /** The account has a hierarchical namespace. */
  hierarchical: boolean;
  /** Whether the client may read the properties of the service. */
  tellsProperties: boolean;
}

/** What is written to a blob. */
export interface Written {
  readonly content: BlobContent;
  readonly type: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Base64. */
  readonly md5?: string | undefined;
  readonly blocks: readonly { readonly id: string; readonly size: number }[];
  readonly copySource?: string;
}

/** One state of a blob: the present one, a version or a snapshot. Times are epoch milliseconds. */
export interface State extends Written {
  /** With its quotes. */
  readonly etag: string;
  readonly created: number;
  readonly modified: number;
  readonly version?: string | undefined;
  readonly snapshot?: string;
  /** When soft delete took it. */
  readonly deletedAt?: number | undefined;
}

/** Everything of one name. */
export interface Blob {
  base?: State | undefined;
  /** Previous versions, the oldest first. */
  versions: State[];
  /** The oldest first. */
  snapshots: State[];
  /** When the base was deleted with versioning enabled, as a version. */
  endedAt?: string | undefined;
  readonly uncommitted: Map<string, BlobContent>;
}

/** Which state a request is about. */
export interface Of {
  readonly versionid?: string | undefined;
  readonly snapshot?: string | undefined;
}

/** One container: https://learn.microsoft.com/azure/storage/blobs/versioning-overview and soft-delete-blob-overview. */
export function createContainer(settings: Settings) {
  const blobs = new Map<string, Blob>();
  let [etags, latest, ticks] = [0x8dc0000000000, 0, 0];

  /** The time as the service writes versions and snapshots, a later one for each call. */
  function stamp(): { readonly id: string; readonly at: number } {
    const at = Math.max(Date.now(), latest);
    ticks = at === latest ? ticks + 1 : 0;
    latest = at;
    return { id: new Date(at).toISOString().replace('Z', `${String(ticks).padStart(4, '0')}Z`), at };
  }

  const isAlive = (blob: Blob | undefined): blob is Blob & { base: State } => blob?.base !== undefined && blob.base.deletedAt === undefined;

  function blobOf(name: string): Blob {
    if (name.length > 1024) refuseWith(400, 'OutOfRangeInput');
    let blob = blobs.get(name);
    if (!blob) blobs.set(name, (blob = { versions: [], snapshots: [], uncommitted: new Map() }));
    return blob;
  }

  /** The base becomes a previous version; one without a version gets the time of its creation. */
  function retire(blob: Blob, base: State): void {
    const version = base.version ?? new Date(base.created).toISOString().replace('Z', '0000Z');
    blob.versions.push({ ...base, version });
  }

  /** The state of a blob; refuses for one that does not exist, or cannot be read. */
  function find(name: string, { versionid, snapshot }: Of): State {
    const blob = blobs.get(name);
    const missing = (): never => refuseWith(404, 'BlobNotFound', 'The specified blob does not exist.');
    if (versionid !== undefined && snapshot !== undefined) refuseWith(400, 'MutuallyExclusiveQueryParameters');
    if (versionid !== undefined && !/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{7}Z$/.test(versionid)) refuseWith(400, 'InvalidQueryParameterValue');
    const all = snapshot === undefined ? [...(blob?.versions ?? []), ...(blob?.base ? [blob.base] : [])] : (blob?.snapshots ?? []);
    const found =
      versionid === undefined && snapshot === undefined
        ? blob?.base
        : all.find((one) => (snapshot === undefined ? one.version === versionid : one.snapshot === snapshot));
    return found && found.deletedAt === undefined ? found : missing();
  }

  function remove<T extends State>(list: readonly T[], gone: T): T[] {
    if (!settings.softDelete) return list.filter((one) => one !== gone);
    return list.map((one) => (one === gone ? { ...one, deletedAt: stamp().at } : one));
  }

  function deleteBase(blob: Blob, base: State, snapshots: string | undefined): void {
    const active = blob.snapshots.filter(({ deletedAt }) => deletedAt === undefined);
    if (active.length > 0 && snapshots === undefined) refuseWith(409, 'SnapshotsPresent');
    for (const one of active) blob.snapshots = remove(blob.snapshots, one);
    if (snapshots === 'only') return;
    const { id, at } = stamp();
    if (settings.versioning) {
      retire(blob, base);
      blob.base = undefined;
      blob.endedAt = id;
    } else if (settings.softDelete) blob.base = { ...base, deletedAt: at };
    else {
      if (base.version !== undefined) retire(blob, base);
      blob.base = undefined;
    }
  }

  return {
    /** Has the container's clock go forward. */
    passTime(milliseconds: number): void {
      latest = Math.max(Date.now(), latest) + milliseconds;
      ticks = 0;
    },
    blobs,
    blobOf,
    find,
    isAlive,
    /** The names of present blobs. */
    names: (): string[] => [...blobs].filter(([, blob]) => isAlive(blob)).map(([name]) => name),

    /** Replaces the base, or creates it. `ifNoneMatch` is the request's header. */
    write(name: string, written: Written, ifNoneMatch: string | undefined): State {
      const blob = blobOf(name);
      if (ifNoneMatch === '*' && isAlive(blob)) refuseWith(409, 'BlobAlreadyExists');
      const { base } = blob;
      const { id, at } = stamp();
      if (base) {
        if (settings.versioning && base.deletedAt === undefined) retire(blob, base);
        else if (settings.softDelete) blob.snapshots.push({ ...base, snapshot: stamp().id, deletedAt: base.deletedAt ?? at });
        else if (base.version !== undefined) retire(blob, base);
      }
      const version = settings.versioning ? id : undefined;
      const state = { ...written, etag: `"0x${(etags++).toString(16).toUpperCase()}"`, created: at, modified: at, version };
      blob.base = state;
      blob.endedAt = undefined;
      blob.uncommitted.clear();
      return state;
    },

    /** Deletes the base, a version or a snapshot. `snapshots` is the header `x-ms-delete-snapshots`. */
    delete(name: string, of: Of, snapshots: string | undefined): void {
      const state = find(name, of);
      const blob = blobOf(name);
      if (of.snapshot !== undefined) blob.snapshots = remove(blob.snapshots, state);
      else if (of.versionid === undefined && isAlive(blob)) deleteBase(blob, blob.base, snapshots);
      else if (state === blob.base) refuseWith(403, 'OperationNotAllowedOnRootBlob');
      else blob.versions = remove(blob.versions, state);
    },

    /** Brings everything of the name back that soft delete has taken; a base that versioning has retired stays where it is. */
    undelete(name: string): void {
      const blob = blobs.get(name);
      if (!blob || (!blob.base && blob.versions.length === 0)) refuseWith(404, 'BlobNotFound');
      const back = (state: State): State => ({ ...state, deletedAt: undefined });
      blob.base &&= back(blob.base);
      blob.versions = blob.versions.map(back);
      blob.snapshots = blob.snapshots.map(back);
    },
  };
}
export type Container = ReturnType<typeof createContainer>;
