import { define } from '../../../core/definition.ts';
import { cloudAuthorization } from './authorization.ts';
import { type CloudConfig, parseCloudConfig } from './config.ts';
import { completeCloud, maxConnections, openCloud } from './connector.ts';

/** One bucket of Google Cloud Storage, opened with the user's grant or with a service account's key. */
export const googlecloud = define<CloudConfig>({
  id: 'googlecloud',
  secrets: ['grant', 'serviceAccountKey'],
  parse: parseCloudConfig,
  account: ({ bucket }) => bucket,
  identity: ({ bucket, account }) => `${bucket} ${account}`,
  concurrency: () => maxConnections,
  mayKeepVersions: true,
  authorization: cloudAuthorization,
  open: (config, env) => Promise.resolve(openCloud(config, env)),
  complete: completeCloud,
});
