import { isIP } from 'node:net';
import type { S3Config } from './config.ts';
import { encodePath } from './signature.ts';

/** Where a request goes. */
export interface Address {
  /** `https://host:port`. */
  readonly origin: string;
  /** As the Host header has it. */
  readonly host: string;
  /** Percent-encoded. */
  readonly path: string;
}

/** A bucket name that is one label of a host name, so that the wildcard certificate holds for it. */
const hostLabel = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/**
 * The address of a key, or of the bucket itself without one. The bucket stands in the host name where the provider has it so, and in the path otherwise.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export function addressOf({ endpoint, flavour, bucket }: S3Config, region: string, key?: string): Address {
  const service = endpoint ?? new URL(`https://s3.${region}.amazonaws.com`);
  const inHost = hostLabel.test(bucket) && bucketInHost(service.hostname, flavour.style === 'host' && (!endpoint || !flavour.amazon));
  const host = inHost ? `${bucket}.${service.host}` : service.host;
  const bucketPath = inHost ? '' : `/${encodePath(bucket)}`;
  return { origin: `${service.protocol}//${host}`, host, path: key === undefined ? bucketPath || '/' : `${bucketPath}/${encodePath(key)}` };
}

const bucketInHost = (hostname: string, wanted: boolean): boolean =>
  wanted && hostname !== 'localhost' && isIP(hostname.replace(/[[\]]/g, '')) === 0;
