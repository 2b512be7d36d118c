import type { Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { openObjectFolders } from '../../kit/object-store/object-folders.ts';
import { type S3Client, createS3Client } from './client.ts';
import type { S3Config } from './config.ts';
import { createDigests } from './digests.ts';
import { clearUp } from './multipart.ts';
import { type StoreOptions, createS3Store } from './store.ts';

/** Concurrent calls of one link: enough for a listing that requests objects, and for copying a folder. */
export const mostCalls = 16;
/**
 * A download may use two connections: the rest of a file is requested while the first part is being read, perhaps slowly, without blocking
 * other calls.
 */
const maxConnections = 2 * mostCalls;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html and qfacts.html: 10,000 parts of up to 5 GiB. */
const s3Limits: StorageLimits = {
  names: { length: { most: 1024, unit: 'bytes' }, pathLength: { most: 1024, unit: 'bytes' } },
  fileBytes: 10_000 * 5 * 1024 ** 3,
};

/** Opens one bucket as files and folders. */
export function openS3(config: S3Config, env: Env, options: StoreOptions = {}): Connector {
  const client = openClient(config, env);
  const { leftovers = noLeftovers } = env;
  const store = createS3Store(client, config, { digests: createDigests(env), leftovers, ...options });
  return openObjectFolders(store, {
    enhanced: config.enhanced,
    leftovers,
    limits: s3Limits,
    clearUpUpload: async (leftover, ask) => clearUp(client, leftover, ask),
  });
}

/**
 * Returns the connection info with the bucket's region, found by a request to the bucket, which also detects a wrong key, secret or bucket.
 */
export async function completeS3(config: S3Config, env: Env, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const client = openClient(config, env);
  try {
    const answer = await client.send({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' }, signal });
    await answer.discard();
    return { ...config.info, region: client.region() };
  } finally {
    client.close();
  }
}

const openClient = (config: S3Config, { dialer, recall, remember }: Env): S3Client =>
  createS3Client(config, {
    dialer,
    maxConnections,
    recallRegion: () => recall('region'),
    rememberRegion: (region) => remember('region', region),
  });
