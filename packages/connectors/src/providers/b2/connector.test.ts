import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { type B2, startB2 } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance, hardNames } from '../../conformance/index.ts';
import { parseB2Config } from './config.ts';
import { openB2 } from './connector.ts';
import { keyOf } from './names.ts';

/** Not less than B2's 5 MB. */
const usualPart = 5 * 1024 * 1024;

describe('B2 on its simulator', () => {
  let simulator: B2 | undefined;
  const server = (): B2 => simulator ?? assert.fail('the simulator is not running');
  before(async () => {
    simulator = await startB2();
    simulator.createBucket('conformance');
  });
  after(async () => {
    await server().stop();
    server().assertClean();
  });

  const open = async () => openB2(parseB2Config(server().masterKey), testEnv({ app: { apiUrl: server().url } }), { usualPart });
  conformance('B2', open, {
    offers: ['listTree'],
    hashes: ['sha1'],
    copiesBetweenLinks: true,
    resumes: { reopen: open, partSize: usualPart },
    root: '/conformance',
    keepsModified: true,
    bin: { lists: false, purges: false },
    versions: true,
    many: 1100,
    badNames: ['255 bytes of ASCII', '255 bytes of CJK'].map((what) => hardNames[what] ?? ''),
    reallyIn: async (folder) => {
      const { state } = server();
      const bucket = state.bucketNamed('conformance') ?? assert.fail();
      const prefix = `${folder.slice(1)}/`;
      const keys = bucket.names.filter((name) => state.current(bucket, name)).map((name) => keyOf(bucket.name, name));
      const below = keys.filter((key) => key.startsWith(prefix) && key !== prefix).map((key) => key.slice(prefix.length));
      assert.equal(state.large.size, 0, 'a large file was left unfinished');
      return [...new Set(below.map((key) => key.split('/')[0] ?? ''))];
    },
  });
});
