import type { CallOptions, Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { segmentsOf } from '../../kit/names/path.ts';
import { openObjectFolders } from '../../kit/object-store/object-folders.ts';
import { createBuckets } from './buckets.ts';
import { createB2Client } from './client.ts';
import type { B2Config } from './config.ts';
import { clearUp } from './large-file.ts';
import { b2Limits } from './names.ts';
import { type StoreOptions, createB2Store } from './store.ts';

/** Connections of one link, and concurrent operations: each upload may use three connections and 32 MiB. */
const maxConnections = 16;
export const maxOperations = 8;

/** Opens an account with its buckets as top-level folders. For a read-only key the write operations are absent. */
export function openB2(config: B2Config, env: Env, options: StoreOptions = {}): Connector {
  const client = createB2Client(config, env, maxConnections);
  const buckets = createBuckets(client);
  const store = createB2Store(client, buckets, { ...(env.leftovers && { leftovers: env.leftovers }), ...options });
  const {
    list,
    listTree,
    stat,
    read,
    close,
    hashes = [],
    limits = {},
    clearUp: clearUpAll,
    ...writing
  } = openObjectFolders(store, {
    enhanced: true,
    leftovers: env.leftovers,
    limits: b2Limits,
    clearUpUpload: async (leftover, ask) => clearUp(client, leftover, ask),
  });
  const reading = { hashes, limits, list, ...(listTree && { listTree }), stat, read, close };
  if (!config.mayWrite) return reading;
  return { ...reading, ...belowBuckets(writing, buckets.idOf), clearUp: clearUpAll };
}

type Writing = Omit<Connector, 'hashes' | 'limits' | 'list' | 'listTree' | 'stat' | 'read' | 'close' | 'clearUp'>;

/** Allows changes inside buckets; the buckets themselves are managed on Backblaze's pages. */
function belowBuckets(inner: Writing, idOf: (name: string, signal: AbortSignal) => Promise<string | undefined>): Writing {
  const isBucket = (path: string): boolean => segmentsOf(path).length < 2;

  /** Rejects when the path is a bucket or its bucket does not exist. */
  async function within(path: string, { signal }: CallOptions): Promise<void> {
    if (!isBucket(path)) return;
    const [name] = segmentsOf(path);
    const isThere = name === undefined || (await idOf(name, signal)) !== undefined;
    if (isThere) throw new ConnectorError('alreadyExists', 'a bucket has this name');
    throw new ConnectorError('unsupported', 'buckets are made at Backblaze');
  }

  /** Throws when the path is a bucket. */
  function kept(path: string): void {
    if (isBucket(path)) throw new ConnectorError('unsupported', 'a bucket cannot be renamed, moved or deleted here');
  }

  const { write, createFolder, rename, move, copy, remove, beginUpload, sendPart, uploadState, finishUpload, abandonUpload } = inner;
  const { service, serviceFile, copyFrom, bin, discard, binned, restore, versionOf, restoreVersion, listVersions, readVersion } = inner;
  return {
    ...(service !== undefined && { service }),
    ...(serviceFile && { serviceFile }),
    ...(copyFrom && {
      async copyFrom(file, to, ask) {
        await within(to, ask);
        return copyFrom(file, to, ask);
      },
    }),
    ...(bin && { bin }),
    ...(binned && { binned }),
    ...(restore && { restore }),
    ...(versionOf && { versionOf }),
    ...(restoreVersion && { restoreVersion }),
    ...(listVersions && { listVersions }),
    ...(readVersion && { readVersion }),
    ...(discard && {
      async discard(path, ask) {
        kept(path);
        return discard(path, ask);
      },
    }),
    ...(sendPart && { sendPart }),
    ...(uploadState && { uploadState }),
    ...(finishUpload && { finishUpload }),
    ...(abandonUpload && { abandonUpload }),
    ...(beginUpload && {
      async beginUpload(path, ask) {
        await within(path, ask);
        return beginUpload(path, ask);
      },
    }),
    ...(write && {
      async write(path, body, ask) {
        try {
          await within(path, ask);
          return await write(path, body, ask);
        } finally {
          body.destroy();
        }
      },
    }),
    ...(createFolder && {
      async createFolder(path, ask) {
        await within(path, ask);
        return createFolder(path, ask);
      },
    }),
    ...(rename && {
      async rename(path, newName, ask) {
        kept(path);
        return rename(path, newName, ask);
      },
    }),
    ...(move && {
      async move(from, to, ask) {
        kept(from);
        await within(to, ask);
        return move(from, to, ask);
      },
    }),
    ...(copy && {
      async copy(from, to, ask) {
        await within(to, ask);
        return copy(from, to, ask);
      },
    }),
    ...(remove && {
      async remove(path, ask) {
        kept(path);
        return remove(path, ask);
      },
    }),
  };
}

/** Capabilities without which a key cannot change files. */
const toWrite = ['writeFiles', 'listFiles', 'readFiles'] as const;

/**
 * Returns the connection info to save: the account id, the key's bucket restriction, and read-only when the key cannot write. Rejects with
 * `wrongKey`, `wrongSignature`, and `noBucket` for a key whose bucket was deleted.
 */
export async function completeB2(config: B2Config, env: Env, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const client = createB2Client(config, env, 1);
  try {
    const { accountId, buckets, capabilities, namePrefix, s3Endpoint } = await client.authorized(signal);
    if (buckets && buckets.length > 0 && buckets.every(({ name }) => name === null))
      throw new ConnectorError('noBucket', 'the bucket that the key was made for is gone');
    const mayWrite = config.mayWrite && toWrite.every((capability) => capabilities.has(capability));
    return {
      ...config.info,
      accountId: config.keyId,
      applicationKey: config.applicationKey,
      allowWrite: mayWrite ? 'ALLOW_WRITE' : 'DISALLOW_WRITE',
      account: accountId,
      buckets: buckets?.map(({ name }) => name ?? '').join(',') ?? '',
      namePrefix,
      s3Endpoint,
    };
  } finally {
    client.close();
  }
}
