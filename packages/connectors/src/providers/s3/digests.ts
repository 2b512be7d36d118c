import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { bodyHash, withHash } from '../../kit/hash/content-hash.ts';
import { lacksMd5 } from './errors.ts';

/** Whether a bucket requires an MD5 with every upload. */
export interface Digests {
  wanted(): Promise<boolean>;
  /** Returns true when the error is the refusal of an upload without MD5; from then on uploads include one. */
  learnFrom(error: unknown): Promise<boolean>;
}

const fact = 'wantsContentMd5';

/**
 * Learns from a bucket's refusal and stores it for the link. Buckets whose Object Lock has a default retention require a checksum: MD5 is
 * supported by Amazon, Backblaze, IBM and others alike. https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html
 */
export function createDigests({ recall, remember }: Pick<Env, 'recall' | 'remember'>): Digests {
  let known: boolean | undefined;
  return {
    wanted: async () => (known ??= (await recall(fact)) !== undefined),
    async learnFrom(error) {
      if (!(error instanceof ConnectorError) || error.details['lacks'] !== lacksMd5.lacks) return false;
      known = true;
      await remember(fact, 'yes');
      return true;
    },
  };
}

/** Returns the MD5 header of an upload. */
export const md5Header = (bytes: Uint8Array): Promise<Record<string, string>> =>
  withHash(bodyHash('md5', 'base64')(bytes.byteLength), async (hash) => {
    await hash.update(bytes);
    return { 'content-md5': await hash.digest() };
  });
