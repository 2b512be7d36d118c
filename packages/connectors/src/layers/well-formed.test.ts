import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ConnectorError } from '../core/error.ts';
import { createMemorySource } from '../providers/memory/index.ts';
import { layered } from './layered.ts';
import { wellFormed } from './well-formed.ts';

const ask = { signal: new AbortController().signal };
const refuse = () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network'));
const env = { dialer: { connect: refuse, upgrade: refuse }, remember: async () => undefined, recall: async () => undefined };

test('no source is asked for a name with half a surrogate pair, in whatever call', async () => {
  const asked: string[] = [];
  const source = createMemorySource({ gate: (operation, path) => void asked.push(`${operation} ${path}`) });
  source.put('/file', 'x');
  const connector = layered(await source.definition.open({}, env), wellFormed());
  const half = '\ud83d';
  const body = Readable.from([Buffer.from('x')]);
  const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
    list: () => Array.fromAsync(connector.list(`/${half}`, ask)),
    stat: () => connector.stat(`/${half}/file`, ask),
    read: () => connector.read(`/${half}`, ask),
    write: () => connector.write?.(`/${half}`, body, { ...ask, ifExists: 'replace' }),
    createFolder: () => connector.createFolder?.(`/${half}`, ask),
    rename: () => connector.rename?.('/file', half, ask),
    move: () => connector.move?.('/file', `/${half}`, ask),
    copy: () => connector.copy?.('/file', `/${half}`, ask),
    remove: () => connector.remove?.(`/${half}`, ask),
  };
  for (const [operation, call] of Object.entries(calls)) await assert.rejects(async () => call(), { kind: 'badName' }, operation);
  assert.ok(body.destroyed);
  assert.deepEqual(asked, []);
  assert.equal((await connector.stat('/file', ask)).name, 'file');
});
