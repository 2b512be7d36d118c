import { define } from '../../core/definition.ts';
import { authorization } from './authorization.ts';
import { type CloudDriveConfig, parseCloudDriveConfig } from './config.ts';
import { openCloudDrive } from './connector.ts';
import { maxConnections } from './drive.ts';

/** Amazon Cloud Drive, shut down in 2023: only for a compatible server whose URL the operator configures. */
export const clouddrive = define<CloudDriveConfig>({
  id: 'clouddrive',
  secrets: ['grant'],
  parse: parseCloudDriveConfig,
  account: ({ rootId }) => `Drive ${rootId.slice(0, 8)}`,
  identity: ({ rootId }) => `clouddrive ${rootId}`,
  concurrency: () => maxConnections,
  hasBin: true,
  open: async (_config, env) => openCloudDrive(env),
  authorization,
});
