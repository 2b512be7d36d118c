import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Autodesk, startAutodesk } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { ask, bench, get, made, namesIn, open, put, quay } from './testing/opening.ts';

async function withFile(
  work: (linked: { server: Autodesk; connector: Connector; from: string; to: string }) => Promise<void>,
): Promise<void> {
  const server = await startAutodesk();
  const connector = open(server);
  try {
    const from = await made(connector, `${quay}/from`);
    const to = await made(connector, `${quay}/to`);
    await put(connector, `${from}/file`, 'first');
    await work({ server, connector, from, to });
  } finally {
    await connector.close();
    await server.stop();
  }
}

/** Simulates another user who stores a new version. */
function overwrite({ state }: Autodesk, bytes: string): void {
  const node = [...state.nodes.values()].find(({ name, hidden }) => name === 'file' && !hidden) ?? assert.fail('no file');
  state.addVersion(node, node.name, state.newObject(node.project.bucket, state.contents.of(bytes)));
}

const deletion = 'POST /data/v1/projects/{project_id}/versions';

test('a file is moved even if the response to the deletion of the old one is lost', () =>
  withFile(async ({ server, connector, from, to }) => {
    server.faults.next(deletion, 1, { kind: 'lost' });
    await connector.move?.(`${from}/file`, `${to}/file`, ask());
    assert.deepEqual([await namesIn(connector, from), await namesIn(connector, to)], [[], ['file']]);
    assert.equal((await get(open(server), `${to}/file`)).toString(), 'first');
  }));

test('a file is moved even if Autodesk is briefly too busy to delete the old one', () =>
  withFile(async ({ server, connector, from, to }) => {
    server.faults.next(deletion, 1, { kind: 'rateLimit', retryAfter: 0 });
    await connector.move?.(`${from}/file`, `${to}/file`, ask());
    assert.deepEqual([await namesIn(connector, from), await namesIn(connector, to)], [[], ['file']]);
  }));

for (const [what, goes] of [
  ['renamed', ({ rename }: Connector, from: string) => rename?.(`${from}/file`, 'other', ask())],
  ['moved', ({ move }: Connector, from: string, to: string) => move?.(`${from}/file`, `${to}/other`, ask())],
  ['moved to another project', ({ move }: Connector, from: string) => move?.(`${from}/file`, `${bench}/other`, ask())],
  ['copied', ({ copy }: Connector, from: string, to: string) => copy?.(`${from}/file`, `${to}/other`, ask())],
] as const)
  test(`a file of which another user has just stored a new version is ${what} with that one`, () =>
    withFile(async ({ server, connector, from, to }) => {
      await namesIn(connector, from);
      overwrite(server, 'second');
      await goes(connector, from, to);
      const folder = what === 'renamed' ? from : what === 'moved to another project' ? bench : to;
      assert.equal((await get(open(server), `${folder}/other`)).toString(), 'second');
    }));

test('a file of which another user stores a new version during the move stays in place', () =>
  withFile(async ({ server, connector, from, to }) => {
    const copying = server.faults.next('POST /data/v1/projects/{project_id}/items', 1, { kind: 'slow', ms: 150 });
    const moving = connector.move?.(`${from}/file`, `${to}/file`, ask());
    while (copying.struck === 0) await new Promise(setImmediate);
    overwrite(server, 'second');
    await assert.rejects(async () => moving, { kind: 'forbidden' });
    assert.deepEqual(await namesIn(connector, to), []);
    assert.equal((await get(open(server), `${from}/file`)).toString(), 'second');
  }));
