import { allowWriteChoices, directoryStructures, storageClasses } from '@sheaf/contract';
import { type Plan, type ReadRemote, isTrue, unsupported } from './plan.ts';

/** Object stores, by rclone's types. */
export const bucketRemotes: Readonly<Record<string, ReadRemote>> = {
  s3(options, start) {
    const {
      access_key_id: key = '',
      secret_access_key: secret = '',
      endpoint = '',
      region = '',
      storage_class: storageClass = '',
    } = options;
    if (isTrue(options['env_auth']) || key === '' || secret === '') return unsupported('REMOTE_KEYS_MISSING');
    return inBucket(start, {
      family: 's3',
      provider: s3Providers.get((options['provider'] ?? '').toLowerCase()) ?? (endpoint === '' ? 'S3' : 'S3Compat'),
      info: {
        host: endpoint,
        key,
        secret,
        region,
        defaultStorageClass: s3Classes.get(storageClass) ?? storageClasses.standard,
        directoryStructure: directoryStructures.simple,
      },
      account: key,
    });
  },
  azureblob(options, start) {
    const { account = '', key = '', endpoint = '' } = options;
    if (key === '') return unsupported('REMOTE_NEEDS_ACCOUNT_KEY');
    return inBucket(start, {
      family: 's3',
      provider: 'AzureStorage',
      info: {
        host: endpoint,
        key: account,
        secret: key,
        defaultStorageClass: storageClasses.standard,
        directoryStructure: directoryStructures.simple,
      },
      account,
    });
  },
  'google cloud storage'(options, start) {
    const credentials = options['service_account_credentials'] ?? '';
    if (credentials === '' && options['service_account_file']) return unsupported('REMOTE_KEY_FILE');
    if (credentials === '') return { kind: 'authorize', provider: 'GoogleCloud' };
    return inBucket(start, { family: 'googlecloud', provider: 'GoogleCloud', info: { serviceAccountKey: credentials }, account: '' });
  },
  b2(options, start) {
    const { account = '', key = '' } = options;
    if (account === '' || key === '') return unsupported('REMOTE_KEY_MISSING');
    if (start !== '') return unsupported('REMOTE_IN_BUCKET');
    return {
      kind: 'link',
      family: 'b2',
      provider: 'B2',
      info: { accountId: account, applicationKey: key, allowWrite: allowWriteChoices.allow },
      account,
    };
  },
};

/** A link to one bucket, which is named only by a remote that refers to this one. */
function inBucket(start: string, { info, account, ...rest }: Omit<Extract<Plan, { kind: 'link' }>, 'kind'>): Plan {
  const [bucketName = '', ...inside] = start.split('/').filter((part) => part !== '');
  if (inside.length > 0) return unsupported('REMOTE_IN_BUCKET_FOLDER');
  const whole = { ...info, bucketName };
  if (bucketName === '') return { kind: 'link', ...rest, info: whole, account, needsBucket: true };
  return { kind: 'link', ...rest, info: whole, account: bucketName };
}

const s3Providers: ReadonlyMap<string, string> = new Map([
  ['aws', 'S3'],
  ['wasabi', 'Wasabi'],
  ['digitalocean', 'DigitalOcean'],
  ['dreamhost', 'DreamHost'],
  ['minio', 'MinIO'],
]);
const s3Classes: ReadonlyMap<string, string> = new Map([
  ['STANDARD_IA', storageClasses.infrequent],
  ['REDUCED_REDUNDANCY', storageClasses.reduced],
]);
