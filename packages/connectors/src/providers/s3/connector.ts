import type { Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import { openObjectFolders } from '../../kit/object-store/object-folders.ts';
import { type S3Client, createS3Client } from './client.ts';
import type { S3Config } from './config.ts';
import { createDigests } from './digests.ts';
import { clearUp } from './multipart.ts';
import { type StoreOptions, createS3Store } from './store.ts';

/** Calls of one link at once: enough for a listing that asks for objects, and for a folder being copied. */
export const mostCalls = 16;
/** A download may have two: the rest of a file stands ready while the first part is read, perhaps slowly, and takes no connection from the other calls. */
const maxConnections = 2 * mostCalls;

/** Opens one bucket as files and folders. */
export function openS3(config: S3Config, env: Env, options: StoreOptions = {}): Connector {
  const client = openClient(config, env);
  const { leftovers = noLeftovers } = env;
  const store = createS3Store(client, config, { digests: createDigests(env), leftovers, ...options });
  return openObjectFolders(store, {
    enhanced: config.enhanced,
    leftovers,
    clearUpUpload: async (leftover, ask) => clearUp(client, leftover, ask),
  });
}

/** Connection info with the bucket's region, found by asking for the bucket; so that a wrong key, secret or bucket is told apart too. */
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
