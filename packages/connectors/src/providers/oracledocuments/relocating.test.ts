import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { startOracle } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import type { Connector } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { parseOracleConfig } from './config.ts';
import { openOracleDocuments } from './connector.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask()))).flat().map(({ name }) => name);

const [change, place, look, remove] = [/PUT .*\/files\//, /POST .*\/files\/.*\/move/, /GET .*\/files\/[^/]+$/, /DELETE .*\/folders\//];
const fine = { kind: 'slow', ms: 0 } as const;
const lost = { kind: 'lost' } as const;
const busy = { kind: 'rateLimit', retryAfter: 0 } as const;
const failing = { kind: 'reply', reply: { status: 500, json: { errorCode: '-500', title: 'failed' } } } as const;
const taken = { kind: 'reply', reply: { status: 409, json: { errorCode: '-409', title: 'used' } } } as const;

const rename = ({ rename: go }: Connector) => go?.('/file', 'renamed', ask());
const move = ({ move: go }: Connector) => go?.('/file', '/target/renamed', ask());
const moveOnly = ({ move: go }: Connector) => go?.('/file', '/target/file', ask());
const copy = ({ copy: go }: Connector) => go?.('/file', '/target/renamed', ask());

for (const [what, go, faults, home, target] of [
  ['renamed, although its answer is lost', rename, [[change, lost]], ['renamed', 'target'], []],
  [
    'moved, although Oracle is busy at each step',
    move,
    [
      [change, busy, fine, busy],
      [place, busy],
      [look, busy],
    ],
    ['target'],
    ['renamed'],
  ],
  ['moved, although the answer is lost that says that it has arrived', moveOnly, [[place, lost]], ['target'], ['file']],
  ['moved, although Oracle cannot be asked about it afterwards', moveOnly, [[look, failing, failing, failing]], ['target'], ['file']],
  [
    'left where it was, although the answer is lost that says that it is away',
    move,
    [
      [change, fine, taken],
      [place, lost],
    ],
    ['file', 'target'],
    [],
  ],
  [
    'left where it was, although Oracle is busy when it goes back',
    move,
    [
      [change, fine, taken, busy],
      [place, fine, busy],
    ],
    ['file', 'target'],
    [],
  ],
  [
    'copied, although what it was made in cannot be deleted at first',
    copy,
    [
      [remove, busy],
      [look, busy],
    ],
    ['file', 'target'],
    ['renamed'],
  ],
] as const)
  test(`a file is ${what}`, async () => {
    const server = await startOracle();
    const connector = openOracleDocuments(parseOracleConfig({ url: `${server.url}/documents`, ...server.user }), testEnv());
    try {
      await connector.createFolder?.('/target', ask());
      await connector.write?.('/file', Readable.from([Buffer.from('x')]), { ...ask(), ifExists: 'fail', size: 1 });
      for (const [at, ...kinds] of faults) for (const kind of kinds) server.faults.next(at, 1, kind);
      const went = go(connector);
      if (what.startsWith('left')) await assert.rejects(async () => went, { kind: 'alreadyExists' });
      else await went;
      assert.deepEqual([await namesIn(connector, '/'), await namesIn(connector, '/target')], [home, target]);
      for (const path of [...home.map((name) => `/${name}`), ...target.map((name) => `/target/${name}`)])
        if (path !== '/target') assert.equal((await collect(await connector.read(path, ask()))).toString(), 'x');
    } finally {
      await connector.close();
      await server.stop();
    }
  });
