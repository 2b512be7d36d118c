import { directoryStructures, findSource, storageClasses } from '@sheaf/contract';
import { ConnectorError } from '../../core/error.ts';
import { type Flavour, flavours } from './flavours.ts';

/** The complete connection info of a link to one bucket. */
export interface S3Config {
  /** As entered, completed with the provider's defaults. */
  readonly info: Readonly<Record<string, string>>;
  readonly flavour: Flavour;
  /** The service's URL without a path; absent for Amazon. */
  readonly endpoint?: URL;
  readonly bucket: string;
  readonly key: string;
  readonly secret: string;
  /** S3's name of the storage class; absent for the default. */
  readonly storageClass?: string;
  readonly enhanced: boolean;
  /** The bucket's region; absent until it is known. */
  readonly region?: string;
}

/**
 * Amazon's names for the dialog's choices:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html#AmazonS3-PutObject-request-header-StorageClass
 */
const amazonNames: Readonly<Record<string, string>> = {
  [storageClasses.infrequent]: 'STANDARD_IA',
  [storageClasses.reduced]: 'REDUCED_REDUNDANCY',
  REDUCED_REDUNDANCY: 'REDUCED_REDUNDANCY',
};

/**
 * Validates connection info; throws `badConfig` with the missing or malformed field, `noBucket` for an impossible bucket name and
 * `wrongKey` for an impossible access key.
 */
export function parseS3Config(info: Readonly<Record<string, string>>, provider: string): S3Config {
  const flavour = flavours[provider.toLowerCase()];
  if (!flavour) throw new ConnectorError('badConfig', `no such provider: ${provider}`, { details: { field: 'provider' } });
  const host = hostOf(info, provider);
  if (host === '' && !flavour.amazon) throw badField('host', 'missing');
  const endpoint = isAmazons(host, flavour) ? undefined : parseEndpoint(host);
  const storageClass = amazonNames[info['defaultStorageClass'] ?? ''];
  const region = info['region'] || flavour.regionInHost?.exec(host.replace(/^https?:\/\//i, ''))?.[1];
  return {
    info: { ...info, host },
    flavour,
    ...(endpoint && { endpoint }),
    bucket: bucketOf(info),
    key: keyOf(info),
    secret: required(info, 'secret'),
    ...(storageClass !== undefined && { storageClass }),
    enhanced: info['directoryStructure'] ? info['directoryStructure'] === directoryStructures.enhanced : /^s3x/i.test(provider),
    ...(region && { region }),
  };
}

/** Parses the service's URL; https by default. Throws `badConfig` for `host`. */
function parseEndpoint(host: string): URL {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`;
  const url = URL.parse(address);
  const plain =
    url && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== '' && url.username === '' && url.search === '';
  if (!plain || (url.pathname !== '/' && url.pathname !== '')) throw badField('host', 'malformed');
  return url;
}

function hostOf(info: Readonly<Record<string, string>>, provider: string): string {
  const source = findSource(provider);
  const given = (info['host'] ?? '').trim();
  return source?.serverFixed || given === '' ? (source?.serverUrl ?? '') : given;
}

/** Amazon's hosts are derived from region and bucket, whichever host was entered; a private endpoint is used as it is. */
const isAmazons = (host: string, flavour: Flavour): boolean =>
  flavour.amazon === true && (host === '' || /^(https:\/\/)?s3([.-][a-z0-9-]+)?\.amazonaws\.com\/?$/.test(host));

function bucketOf(info: Readonly<Record<string, string>>): string {
  const bucket = required(info, 'bucketName');
  // With a slash, the bucket's URL might resolve while every key would be wrong.
  if (bucket.includes('/')) throw new ConnectorError('noBucket', 'no bucket has such a name');
  return bucket;
}

function keyOf(info: Readonly<Record<string, string>>): string {
  const key = required(info, 'key');
  // The key is part of a header, up to a comma.
  if (!/^[!-+\--~]+$/.test(key)) throw new ConnectorError('wrongKey', 'no access key has such a name');
  return key;
}

function required(info: Readonly<Record<string, string>>, field: string): string {
  const value = field === 'secret' ? info[field] : info[field]?.trim();
  if (!value) throw badField(field, 'missing');
  return value;
}

const badField = (field: string, fault: string) => new ConnectorError('badConfig', `${field} is ${fault}`, { details: { field } });
