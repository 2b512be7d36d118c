import { define } from '../../core/definition.ts';
import { authorization } from './account/authorization.ts';
import { connections } from './account/client.ts';
import { type OneDriveConfig, parseOneDriveConfig } from './config.ts';
import { openOneDrive } from './connector.ts';
import { readGraphHint } from './items/subscriptions.ts';

/** OneDrive, OneDrive for Business and SharePoint. */
export const onedrive = define<OneDriveConfig>({
  id: 'onedrive',
  secrets: ['grant'],
  parse: parseOneDriveConfig,
  account: ({ account }) => account,
  identity: ({ flavour, accountId }) => `${flavour.provider.toLowerCase()} ${accountId}`,
  concurrency: () => connections,
  hasBin: true,
  authorization,
  readHint: readGraphHint,
  open: (config, env) => Promise.resolve(openOneDrive(config, env)),
});
