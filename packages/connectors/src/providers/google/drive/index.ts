import { define } from '../../../core/definition.ts';
import { driveAuthorization } from './authorization.ts';
import { type DriveConfig, parseDriveConfig } from './config.ts';
import { maxConnections, openDrive } from './connector.ts';
import { readChannelHint } from './watching/channels.ts';

/** Google Drive: My Drive and the account's shared drives. */
export const googledrive = define<DriveConfig>({
  id: 'googledrive',
  secrets: ['grant'],
  parse: parseDriveConfig,
  account: ({ email }) => email,
  identity: ({ accountId }) => accountId,
  concurrency: () => maxConnections,
  hasBin: true,
  authorization: driveAuthorization,
  readHint: readChannelHint,
  open: (_, env) => Promise.resolve(openDrive(env)),
});
