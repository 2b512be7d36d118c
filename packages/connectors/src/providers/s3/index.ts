import { define } from '../../core/definition.ts';
import { type S3Config, parseS3Config } from './config.ts';
import { completeS3, mostCalls, openS3 } from './connector.ts';

/** Amazon S3 and every service that speaks its protocol. */
export const s3 = define<S3Config>({
  id: 's3',
  secrets: ['secret'],
  parse: parseS3Config,
  account: ({ bucket }) => bucket,
  identity: ({ endpoint, bucket, key }) => [endpoint?.host ?? 'amazonaws.com', bucket, key].join(' '),
  concurrency: () => mostCalls,
  mayKeepVersions: true,
  open: (config, env) => Promise.resolve(openS3(config, env)),
  complete: completeS3,
});
