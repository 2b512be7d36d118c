import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import { type GoogleCloud, startGoogleCloud } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance, hardNames } from '../../conformance/index.ts';
import type { Connector } from '../../core/connector.ts';
import { parseCloudConfig } from './config.ts';
import { openCloud } from './connector.ts';
import { googlecloud } from './index.ts';
import type { StoreOptions } from './store.ts';

const client = { id: 'sheaf', secret: 'secret of sheaf', redirectUris: ['https://sheaf.example/oauth'] };

describe('Google Cloud Storage on its simulator', () => {
  let cloud: GoogleCloud | undefined;
  before(async () => {
    cloud = await startGoogleCloud({ client });
  });
  after(async () => {
    await cloud?.stop();
    cloud?.assertClean();
  });
  const server = (): GoogleCloud => cloud ?? assert.fail('the simulator is not running');
  const envOf = (email = 'mara@example.org', scopes = ['https://www.googleapis.com/auth/devstorage.read_write']) => {
    const { accessToken, refreshToken } = server().oauth.grant(email, scopes);
    return testEnv({
      app: server().app,
      grant: { accessToken, ...(refreshToken !== undefined && { refreshToken }) },
      ...(googlecloud.authorization && { authorization: googlecloud.authorization }),
      provider: 'GoogleCloud',
    });
  };
  const openBucket = (more: Record<string, string> = {}, options: StoreOptions = {}): Connector => {
    const bucketName = `bucket-${randomUUID()}`;
    server().addBucket(bucketName);
    return openCloud(parseCloudConfig({ bucketName, ...more }), envOf(), options);
  };
  const badNames = [hardNames['a newline'] ?? assert.fail('there is no such name')];

  conformance('Google Cloud Storage, simple structure', async () => openBucket(), { many: 1100, badNames });
  conformance('Google Cloud Storage, enhanced structure', async () => openBucket({ directoryStructure: directoryStructures.enhanced }), {
    many: 1100,
    badNames,
    keepsModified: true,
  });
});
