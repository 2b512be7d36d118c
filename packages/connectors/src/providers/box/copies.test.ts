import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBox } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { serviceCopiesOf } from '../../core/operations.ts';
import { collect } from '../../kit/body/body.ts';
import { ask, openMara, openNoor } from './testing/link.ts';

const copiesOf = (connector: Connector) => serviceCopiesOf(connector) ?? assert.fail('no copies by the service');

test('Box copies a file between two accounts if it is shared, and refuses if it is not', async (t) => {
  const simulator = await startBox();
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  const [mara, noor] = [await openMara(simulator), await openNoor(simulator)];
  const downloads = simulator.faults.next(/^GET .*\/content/, Infinity, { kind: 'slow', ms: 0 });
  const file = await copiesOf(mara).serviceFile('/Work/Notes.txt', ask());
  await assert.rejects(copiesOf(noor).copyFrom(file, '/Photos/Notes.txt', ask()), { kind: 'unsupported' });
  const [maraId, noorId] = simulator.accounts.map(({ id }) => id);
  const stored = simulator.of(maraId ?? '').find(file.location, 'file');
  assert.ok(stored.type === 'file');
  stored.readers = [noorId ?? ''];
  const entry = await copiesOf(noor).copyFrom(file, '/Photos/Notes.txt', ask());
  assert.deepEqual([entry.name, entry.hashes], ['Notes.txt', file.entry.hashes]);
  assert.equal(downloads.struck, 0);
  assert.equal((await collect(await noor.read('/Photos/Notes.txt', ask()))).toString(), 'Call back on Monday.\n');
  await assert.rejects(copiesOf(noor).copyFrom(file, '/Photos/Notes.txt', ask()), { kind: 'alreadyExists' });
});
