import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { type CloudDrive, startCloudDrive } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance } from '../../conformance/index.ts';
import { authorization } from './authorization.ts';
import { openCloudDrive } from './connector.ts';

describe('Amazon Cloud Drive on its simulator', () => {
  let simulator: CloudDrive | undefined;
  const server = (): CloudDrive => simulator ?? assert.fail('the simulator is not running');
  before(async () => {
    simulator = await startCloudDrive();
  });
  after(async () => {
    await server().stop();
    server().assertClean();
  });

  const open = async () => {
    const { accessToken, refreshToken = '' } = server().oauth.grant(server().mara.email);
    const grant = { accessToken, refreshToken };
    return openCloudDrive(testEnv({ app: server().app, grant, authorization, provider: 'CloudDrive' }));
  };
  conformance('Amazon Cloud Drive', open, {
    lacks: ['copy'],
    offers: ['thumbnail', 'usage', 'changes'],
    // The service ignores case: two names that differ only in case conflict.
    badNames: ['README'],
    picture: { bytes: Buffer.from('any picture'), extension: '.png' },
    many: 450,
    reallyIn: async (folder) => {
      const { state } = server();
      let at = state.root.id;
      for (const name of folder.split('/').slice(1)) at = state.childrenOf(at).find((node) => node.name === name)?.id ?? assert.fail();
      return state.childrenOf(at).map(({ name }) => name);
    },
  });
});
