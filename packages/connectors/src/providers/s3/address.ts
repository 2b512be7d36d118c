import { isIP } from 'node:net';
import type { S3Config } from './config.ts';
import { encodePath } from './signature.ts';

/** Address of a request. */
export interface Address {
  /** `https://host:port`. */
  readonly origin: string;
  /** Value of the Host header. */
  readonly host: string;
  /** Percent-encoded. */
  readonly path: string;
}

/** A bucket name that is a single host label, so that the wildcard certificate covers it. */
const hostLabel = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/**
 * Returns the address of a key, or of the bucket. The bucket goes into the host name where the provider supports it, otherwise into the
 * path.
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
