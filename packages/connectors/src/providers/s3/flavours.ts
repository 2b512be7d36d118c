/** What is peculiar to one S3-style provider; the provider's own address stands in the catalogue. */
export interface Flavour {
  /** How the bucket is named: in the host name where it can be, or as the first part of the path. */
  readonly style: 'host' | 'path';
  /** Listings may be asked for with percent-encoded keys, without which XML cannot hold every key. */
  readonly encodesKeys: boolean;
  /** Amazon's own rules for host names and regions. */
  readonly amazon?: true;
  /** The region that the host name tells; its first group. Without one it is us-east-1 until the server says otherwise. */
  readonly regionInHost?: RegExp;
}

const amazon: Flavour = { style: 'host', encodesKeys: true, amazon: true, regionInHost: /^s3[.-]([a-z]{2}-[a-z-]+-\d)\.amazonaws\.com/ };
/** Nothing is taken for granted; what a server cannot do it says, and is then not asked again. */
const compatible: Flavour = { style: 'path', encodesKeys: true };

/** By the provider's name in lower case. Facts: each provider's S3 reference, and what real servers answered. */
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
