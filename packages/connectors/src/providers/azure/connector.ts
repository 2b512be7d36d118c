import type { Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { openObjectFolders } from '../../kit/object-store/object-folders.ts';
import { createAzureClient } from './client.ts';
import type { AzureConfig } from './config.ts';
import { type StoreOptions, createAzureStore } from './store.ts';

/**
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata and scalability targets of
 * Blob storage.
 */
const azureLimits: StorageLimits = {
  names: { length: { most: 1024, unit: 'utf16' }, pathLength: { most: 1024, unit: 'utf16' } },
  fileBytes: 50_000 * 4000 * 1024 ** 2,
};

/** Connections of one link. */
export const maxConnections = 16;

/** Opens one container as files and folders. */
export const openAzure = (
  config: AzureConfig,
  { dialer, leftovers }: Pick<Env, 'dialer' | 'leftovers'>,
  options: StoreOptions = {},
): Connector =>
  openObjectFolders(createAzureStore(createAzureClient(config, dialer, maxConnections), options), {
    enhanced: config.enhanced,
    leftovers,
    limits: azureLimits,
  });
