import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Identity, RejectedToken, SimulatedRequest } from '../kit/index.ts';
import { accountId, no } from './replies.ts';
import type { Bucket, State } from './state.ts';

export interface KeyRules {
  /** Default: all. */
  readonly capabilities?: readonly string[];
  /** Names of the only buckets the key may use. */
  readonly buckets?: readonly string[];
  readonly namePrefix?: string;
}

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly capabilities: readonly string[];
  readonly bucketIds: readonly string[] | undefined;
  readonly namePrefix: string;
}

const everything = (
  'listKeys writeKeys deleteKeys listBuckets listAllBucketNames readBuckets writeBuckets deleteBuckets ' +
  'listFiles readFiles shareFiles writeFiles deleteFiles'
).split(' ');
const account = { id: accountId, email: 'mara@example.org', name: 'Mara' };

/** Application keys and their tokens. */
export function createKeys(state: State) {
  const keys = new Map<string, Key>();
  const tokens = new Map<string, { readonly key: Key; isExpired: boolean }>();
  const lives = { logins: 0 };

  const keyOf = ({ token }: SimulatedRequest): Key => tokens.get(token)?.key ?? fail();

  return {
    lives,
    add({ capabilities = everything, buckets, namePrefix = '' }: KeyRules = {}) {
      const bucketIds = buckets?.map((name) => state.bucketNamed(name)?.id ?? fail());
      const id = keys.size === 0 ? accountId : `005${randomBytes(11).toString('hex')}`;
      const key: Key = { id, secret: `K005${randomBytes(20).toString('base64url')}`, capabilities, bucketIds, namePrefix };
      keys.set(id, key);
      return { accountId: id, applicationKey: key.secret };
    },
    revoke: (id: string): void => {
      keys.delete(id);
      for (const [token, { key }] of tokens) if (key.id === id) tokens.delete(token);
    },
    expireTokens: (): void => {
      for (const token of tokens.values()) token.isExpired = true;
    },
    authenticate({ headers }: IncomingMessage): Identity | RejectedToken {
      const token = headers.authorization ?? '';
      const known = tokens.get(token);
      if (token === '') return 'missing';
      if (!known) return 'invalid';
      return known.isExpired ? 'expired' : { account, token, scopes: known.key.capabilities };
    },
    /** Authenticates a key; the caller builds the response. */
    login({ headers }: SimulatedRequest): { readonly key: Key; readonly token: string } {
      lives.logins += 1;
      const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
      const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
      const key = keys.get(id);
      if (!key) throw no(401, 'bad_auth_token');
      if (key.secret !== secret) throw no(401, 'unauthorized');
      const token = `4_${randomBytes(24).toString('base64url')}`;
      tokens.set(token, { key, isExpired: false });
      return { key, token };
    },
    prefixOf: (request: SimulatedRequest): string => keyOf(request).namePrefix,
    /** Returns the request's bucket if its key may use it and the name, or all names with that prefix. */
    bucketFor(request: SimulatedRequest, bucketId: string, name?: string): Bucket {
      const { bucketIds, namePrefix } = keyOf(request);
      if (bucketIds && !bucketIds.includes(bucketId)) throw no(401, 'unauthorized');
      if (name !== undefined && !name.startsWith(namePrefix)) throw no(401, 'unauthorized');
      const bucket = state.buckets.get(bucketId);
      if (!bucket) throw no(400, 'bad_bucket_id', `Bucket does not exist: ${bucketId}`);
      return bucket;
    },
    /** A key restricted to buckets must name one of them. */
    mayList(request: SimulatedRequest, bucketId: string | undefined, bucketName: string | undefined): void {
      const { bucketIds } = keyOf(request);
      const named = bucketId ?? state.bucketNamed(bucketName ?? '')?.id;
      if (bucketIds && !bucketIds.includes(named ?? '')) throw no(401, 'unauthorized');
    },
  };
}
export type Keys = ReturnType<typeof createKeys>;

function fail(): never {
  throw new Error('a key or a bucket that the simulator was never given');
}
