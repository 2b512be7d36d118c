import { define } from '../../core/definition.ts';
import { type AzureConfig, parseAzureConfig } from './config.ts';
import { maxConnections, openAzure } from './connector.ts';

/** Azure Blob storage: one container, opened with the account key. */
export const azure = define<AzureConfig>({
  id: 'azure',
  secrets: ['secret'],
  parse: parseAzureConfig,
  account: ({ container }) => container,
  identity: ({ origin, base, account, container }) => [origin + base, account, container].join(' '),
  concurrency: () => maxConnections,
  mayKeepVersions: true,
  open: (config, env) => Promise.resolve(openAzure(config, env)),
});
