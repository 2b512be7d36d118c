import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { type CopyService, startCopy } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance, hardNames } from '../../conformance/index.ts';
import { parseCopyConfig } from './config.ts';
import { openCopy } from './connector.ts';
import { copy } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });

describe('Copy on its simulator', () => {
  let simulator: CopyService | undefined;
  const server = (): CopyService => simulator ?? assert.fail('the simulator is not running');
  before(async () => {
    simulator = await startCopy();
  });
  after(async () => {
    await server().stop();
    server().assertClean();
  });
  const open = (more: Record<string, string> = {}, app: Record<string, string> = {}) =>
    openCopy(parseCopyConfig({ ...server().user, ...more }), testEnv({ app: { ...server().app, ...app } }));

  conformance('Copy', async () => open(), {
    bin: 'hidden',
    losesReplaced: true,
    lacks: ['copy'],
    offers: ['usage'],
    badNames: Object.values(hardNames).filter((name) => /[\\\p{Cc}]/u.test(name)),
    many: 350,
    reallyIn: async (folder) => server().childrenOf(folder.slice(1)),
  });

  test('a file is stored in the root too, and replaced there', async () => {
    const connector = open();
    for (const text of ['first', 'second'])
      await connector.write?.('/at the root', Readable.from([Buffer.from(text)]), { ...ask(), ifExists: 'replace', size: text.length });
    assert.equal((await connector.stat('/at the root', ask())).size, 6);
    await connector.remove?.('/at the root', ask());
  });

  test('a token or an application that the service does not know needs to be authorized again', async () => {
    await assert.rejects(open({ token: 'another' }).stat('/', ask()), { kind: 'needsAuthorization' });
    await assert.rejects(open({ tokenSecret: 'another' }).stat('/', ask()), { kind: 'needsAuthorization' });
    await assert.rejects(open({}, { clientSecret: 'another' }).stat('/', ask()), { kind: 'needsAuthorization' });
  });

  test('without an operator-configured URL nothing is sent: the service was shut down', async () => {
    await assert.rejects(copy.open(parseCopyConfig(server().user), testEnv()), { kind: 'unreachable' });
  });
});

test('connection info of Copy must have every field', () => {
  for (const field of ['email', 'token', 'tokenSecret'])
    assert.throws(() => copy.parse({ email: 'a', token: 'b', tokenSecret: 'c', [field]: '' }, 'Copy'), {
      kind: 'badConfig',
      details: { field },
    });
});
