import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { startBox } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { ask, openMara } from './testing/link.ts';

const size = 20_000_100;
const put = (connector: Connector, letter: string) =>
  connector.write?.('/file', Readable.from([Buffer.alloc(size, letter)]), { ...ask(), ifExists: 'replace' }) ?? assert.fail('no write');
const firstLetter = async (connector: Connector): Promise<string> =>
  (await collect(await connector.read('/file', { ...ask(), range: { start: 0, end: 1 } }))).toString();

const change = 'PUT /files/{file_id}';
const remove = 'DELETE /files/{file_id}';
const lost = { kind: 'lost' } as const;
const busy = { kind: 'rateLimit', retryAfter: 0 } as const;
const broken = { kind: 'reply', reply: { status: 403, json: { code: 'access_denied_insufficient_permissions' } } } as const;
const fine = { kind: 'slow', ms: 0 } as const;

for (const [what, at, faults, wanted] of [
  ['the old file cannot be deleted', remove, [broken], 'b'],
  ['Box is busy when the old file is to be deleted', remove, [busy], 'b'],
  ['the answer to the deletion is lost', remove, [lost], 'b'],
  ['the answer is lost that says that the old file is aside', change, [lost], 'b'],
  ['the answer is lost that says that the new file has the name', change, [fine, lost], 'b'],
  ['the new file does not get the name', change, [fine, broken], 'a'],
  ['the old file stays where it is', change, [broken], 'a'],
] as const)
  test(`a large file of unknown length is replaced or kept: ${what}`, async () => {
    const simulator = await startBox();
    const connector = await openMara(simulator);
    try {
      await put(connector, 'a');
      for (const fault of faults) simulator.faults.next(at, 1, fault);
      const written = put(connector, 'b');
      if (wanted === 'b') assert.equal((await written).name, 'file');
      else await assert.rejects(written, { kind: 'forbidden' });
      assert.equal(await firstLetter(connector), wanted);
    } finally {
      await connector.close();
      await simulator.stop();
    }
  });
