import type { Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { openObjectFolders } from '../../kit/object-store/object-folders.ts';
import { createAzureClient } from './client.ts';
import type { AzureConfig } from './config.ts';
import { type StoreOptions, createAzureStore } from './store.ts';

/** Connections of one link. */
export const maxConnections = 16;

/** Opens one container as files and folders. */
export const openAzure = (
  config: AzureConfig,
  { dialer, leftovers }: Pick<Env, 'dialer' | 'leftovers'>,
  options: StoreOptions = {},
): Connector =>
  openObjectFolders(createAzureStore(createAzureClient(config, dialer, maxConnections), options), { enhanced: config.enhanced, leftovers });
