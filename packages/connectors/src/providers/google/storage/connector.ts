import type { Connector } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import type { StorageLimits } from '../../../core/storage-limits.ts';
import { type Leftover, parseLeftover } from '../../../kit/object-store/leftover.ts';
import { openObjectFolders } from '../../../kit/object-store/object-folders.ts';
import type { ObjectStore } from '../../../kit/object-store/object-store.ts';
import { createApi } from '../../../kit/rest/api.ts';
import type { CloudConfig } from './config.ts';
import { cloudRefusal } from './errors.ts';
import { serviceAccountTokens } from './service-account.ts';
import { type StoreOptions, createCloudStore } from './store.ts';

const defaultHome = 'https://storage.googleapis.com';
/** Connections of one link: enough to copy a folder. */
export const maxConnections = 16;

/** https://cloud.google.com/storage/quotas#objects and docs/objects#naming */
const cloudLimits: StorageLimits = {
  names: { forbidden: /[\r\n]/gu, length: { most: 1024, unit: 'bytes' }, pathLength: { most: 1024, unit: 'bytes' } },
  fileBytes: 5 * 1024 ** 4,
};

/** Opens one bucket as files and folders. */
export function openCloud(config: CloudConfig, env: Env, options: StoreOptions = {}): Connector {
  const { leftovers } = env;
  const store = openStore(config, env, { ...(leftovers && { leftovers }), ...options });
  return openObjectFolders(store, {
    enhanced: config.enhanced,
    leftovers,
    limits: cloudLimits,
    clearUpUpload: async (leftover, ask) => void (await store.remove([partialKeyOf(parseLeftover(leftover))], ask)),
  });
}

const partialKeyOf = ({ place, partialName }: Leftover): string => place.slice(0, place.lastIndexOf('/') + 1) + partialName;

/** Returns the connection info with the key's account, after a request to the bucket that detects a wrong key or bucket. */
export async function completeCloud(config: CloudConfig, env: Env, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const store = openStore(config, env, {});
  try {
    for await (const _ of store.list('', { signal, deep: true, limit: 1 })) break;
    return { ...config.info, ...(config.account !== '' && { account: config.account }) };
  } finally {
    store.close();
  }
}

function openStore({ bucket, enhanced, key }: CloudConfig, env: Env, options: StoreOptions): ObjectStore {
  const home = env.app?.apiUrl ?? defaultHome;
  const tokens = key ? serviceAccountTokens(key, env) : env.tokens;
  const api = createApi({ env: { ...env, ...(tokens && { tokens }) }, base: home, maxConnections, refusal: cloudRefusal });
  return createCloudStore({ api, name: bucket, uploads: env.app?.uploadUrl ?? home, wantsTimes: enhanced }, options);
}
