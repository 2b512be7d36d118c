import type { Source } from './source.ts';

const s3 = {
  formType: 'S3',
  family: 's3',
  connector: 's3',
  group: 'Object stores',
  addApi: 'add_amazon_s3_link',
  updateApi: 'update_amazon_s3_link',
  available: true,
} as const;
const s3Compatible = { ...s3, sourceTypes: ['S3Compat', 'S3XCompat'] } as const;
const bucketSentence = 'Sheaf opens one bucket with this key.';

/** Object stores that use the S3 dialog. */
export const s3Sources = [
  {
    provider: 'S3',
    title: 'Amazon S3',
    sentence: bucketSentence,
    tile: { letters: 'S3', hue: 50 },
    route: 's3',
    storageClasses: ['STANDARD', 'STANDARD_IA', 'REDUCED REDUNDANCY'],
    ...s3,
    sourceTypes: ['S3', 'S3X'],
  },
  {
    provider: 'S3Compat',
    title: 'S3 Compatible',
    sentence: bucketSentence,
    tile: { letters: 'SC', hue: 60 },
    route: 's3compat',
    storageClasses: ['STANDARD'],
    ...s3Compatible,
  },
  {
    provider: 'Wasabi',
    title: 'Wasabi',
    sentence: bucketSentence,
    tile: { letters: 'Wa', hue: 140 },
    route: 'wasabi',
    serverUrl: 's3.wasabisys.com',
    ...s3Compatible,
  },
  {
    provider: 'DigitalOcean',
    title: 'DigitalOcean Spaces',
    sentence: bucketSentence,
    tile: { letters: 'DO', hue: 245 },
    route: 'digitalocean',
    ...s3Compatible,
  },
  {
    provider: 'DreamHost',
    title: 'DreamHost',
    sentence: bucketSentence,
    tile: { letters: 'DH', hue: 235 },
    route: 'dreamhost',
    serverUrl: 'objects-us-east-1.dream.io',
    serverFixed: true,
    ...s3Compatible,
  },
  { provider: 'MinIO', title: 'MinIO', sentence: bucketSentence, tile: { letters: 'Mi', hue: 10 }, route: 'minio', ...s3Compatible },
  {
    provider: 'AzureStorage',
    title: 'Azure Storage',
    sentence: 'Sheaf opens one container with this account key.',
    tile: { letters: 'Az', hue: 245 },
    route: 'azurestorage',
    storageClasses: ['STANDARD'],
    ...s3Compatible,
    connector: 'azure',
  },
] as const satisfies readonly Source[];
