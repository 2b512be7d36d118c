/** Peculiarities of one S3-compatible provider; its URL is in the catalogue. */
export interface Flavour {
  /** Where the bucket is named: in the host name where possible, or as the first path segment. */
  readonly style: 'host' | 'path';
  /** Whether listings support percent-encoded keys, without which XML cannot represent every key. */
  readonly encodesKeys: boolean;
  /** Amazon's own rules for host names and regions. */
  readonly amazon?: true;
  /** Extracts the region from the host name (first group). Without one it is us-east-1 until the server says otherwise. */
  readonly regionInHost?: RegExp;
}

const amazon: Flavour = { style: 'host', encodesKeys: true, amazon: true, regionInHost: /^s3[.-]([a-z]{2}-[a-z-]+-\d)\.amazonaws\.com/ };
/** Makes no assumptions; features that a server refuses are not requested again. */
const compatible: Flavour = { style: 'path', encodesKeys: true };

/** By the provider's name in lower case. Sources: each provider's S3 reference, and responses of real servers. */
export const flavours: Readonly<Record<string, Flavour>> = {
  s3: amazon,
  s3x: amazon,
  s3compat: compatible,
  s3xcompat: compatible,
  // https://docs.wasabi.com/docs/what-are-the-service-urls-for-wasabis-different-storage-regions
  wasabi: { style: 'path', encodesKeys: true, regionInHost: /^s3\.([a-z]{2}-[a-z-]+-\d)\.wasabisys\.com/ },
  // https://docs.digitalocean.com/reference/api/spaces/: us-east-1 signs for every region.
  digitalocean: { style: 'host', encodesKeys: false },
  // Ceph without url-encoded listings: https://docs.ceph.com/en/latest/radosgw/s3/
  dreamhost: { style: 'path', encodesKeys: false },
  minio: { style: 'path', encodesKeys: true },
};
