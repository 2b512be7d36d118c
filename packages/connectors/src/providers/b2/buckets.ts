import { BucketsAnswer } from './api.ts';
import type { B2Client } from './client.ts';

/** Cache lifetime of the bucket list in ms: others may create and delete buckets. */
const trustFor = 60_000;

export interface Buckets {
  /** Bucket ids by name. For a key restricted to some buckets, returns those without a request. */
  all(signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** Returns a bucket's id; undefined when there is none of that name. */
  idOf(name: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The buckets that the key may use. */
export function createBuckets(client: B2Client, now: () => number = Date.now): Buckets {
  let known: { readonly ids: ReadonlyMap<string, string>; readonly until: number } | undefined;

  async function ask(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { buckets, accountId } = await client.authorized(signal);
    // A bucket without a name was deleted.
    if (buckets) return new Map(buckets.flatMap(({ id, name }) => (name === null ? [] : [[name, id]])));
    const answer = await client.call('b2_list_buckets', BucketsAnswer, { accountId }, signal);
    return new Map(answer.buckets.map(({ bucketName, bucketId }) => [bucketName, bucketId]));
  }

  async function all(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const ids = await ask(signal);
    known = { ids, until: now() + trustFor };
    return ids;
  }

  return {
    all,
    async idOf(name, signal) {
      const trusted = known && known.until > now() ? known.ids.get(name) : undefined;
      return trusted ?? (await all(signal)).get(name);
    },
  };
}
