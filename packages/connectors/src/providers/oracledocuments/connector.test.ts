import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { type Oracle, startOracle } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance, hardNames } from '../../conformance/index.ts';
import { parseOracleConfig } from './config.ts';
import { openOracleDocuments } from './connector.ts';

describe('Oracle Documents on its simulator', () => {
  let simulator: Oracle | undefined;
  const server = (): Oracle => simulator ?? assert.fail('the simulator is not running');
  before(async () => {
    simulator = await startOracle();
  });
  after(async () => {
    await server().stop();
    server().assertClean();
  });

  const refused = Object.values(hardNames).filter((name) => /[\\/:*?"<>|]|\p{Cc}/u.test(name));
  const open = async () => openOracleDocuments(parseOracleConfig({ url: server().url, ...server().user }), testEnv(), { pageSize: 100 });
  conformance('Oracle Documents', open, {
    offers: ['search', 'thumbnail'],
    // Oracle ignores case: two names that differ only in case conflict.
    badNames: [...refused, 'README'],
    picture: { bytes: Buffer.from('any picture'), extension: '.png' },
    many: 350,
    reallyIn: async (folder) => {
      const { state } = server();
      let at = state.home.id;
      for (const name of folder.split('/').slice(1)) at = state.childrenOf(at).find((item) => item.name === name)?.id ?? assert.fail();
      return state.childrenOf(at).map(({ name }) => name);
    },
  });
});
