import { BucketsAnswer } from './api.ts';
import type { B2Client } from './client.ts';

/** ms for which a list of all buckets is trusted: others may make and delete them. */
const trustFor = 60_000;

export interface Buckets {
  /** By name. A key that is kept to some buckets sees those, without asking. */
  all(signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** The id of a bucket; undefined when there is none of that name. */
  idOf(name: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The buckets that the key may use. */
export function createBuckets(client: B2Client, now: () => number = Date.now): Buckets {
  let known: { readonly ids: ReadonlyMap<string, string>; readonly until: number } | undefined;

  async function ask(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { buckets, accountId } = await client.authorized(signal);
    // A bucket without a name is gone.
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
