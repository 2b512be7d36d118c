import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { type Swift, startSwift } from '@sheaf/testbed';
import { conformance } from '../../conformance/index.ts';
import type { Connector } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseS3Config } from './config.ts';
import { openS3 } from './connector.ts';
import type { StoreOptions } from './store.ts';

const testEnv = (facts = new Map<string, string>()): Env => ({
  dialer: createDialer({ privateNetworks: 'allow' }),
  remember: (fact, value) => Promise.resolve(void facts.set(fact, value)),
  recall: (fact) => Promise.resolve(facts.get(fact)),
});

describe('S3 on OpenStack Swift', () => {
  let swift: Swift | undefined;
  before(async () => {
    swift = await startSwift();
  });
  after(() => swift?.stop());

  const server = (): Swift => swift ?? assert.fail('Swift is not running');
  const info = (bucketName: string) => ({ host: server().endpoint, bucketName, key: server().key, secret: server().secret });
  const openBucket = async (directoryStructure: string, options: StoreOptions = {}): Promise<Connector> => {
    const bucketName = randomUUID();
    await server().createBucket(bucketName);
    return openS3(parseS3Config({ ...info(bucketName), directoryStructure }, 'S3Compat'), testEnv(), options);
  };

  conformance('S3, simple structure', () => openBucket(directoryStructures.simple), { many: 1010 });
  // Swift is slow per object: small pages suffice for the second structure, which lists with the same calls.
  conformance('S3, enhanced structure', () => openBucket(directoryStructures.enhanced, { pageSize: 100 }), {
    keepsModified: true,
    many: 250,
  });
});
