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

/** The smallest part that S3 takes. */
const usualPart = 5 * 1024 * 1024;

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
  /** Opens a new bucket, and the same again. */
  function bucket(directoryStructure: string, options: StoreOptions = {}) {
    const bucketName = randomUUID();
    const reopen = async (): Promise<Connector> =>
      openS3(parseS3Config({ ...info(bucketName), directoryStructure }, 'S3Compat'), testEnv(), { usualPart, ...options });
    const open = async (): Promise<Connector> => {
      await server().createBucket(bucketName);
      return reopen();
    };
    return {
      open,
      traits: { hashes: ['md5'], copiesBetweenLinks: true, resumes: { reopen, partSize: usualPart }, numbered: true } as const,
    };
  }

  const simple = bucket(directoryStructures.simple);
  conformance('S3, simple structure', simple.open, { ...simple.traits, offers: ['listTree'], many: 1010 });
  // Swift is slow per object: small pages suffice for the second structure, which lists with the same calls.
  const enhanced = bucket(directoryStructures.enhanced, { pageSize: 100 });
  conformance('S3, enhanced structure', enhanced.open, { ...enhanced.traits, keepsModified: true, many: 250 });
});
