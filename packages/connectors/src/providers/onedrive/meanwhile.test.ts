import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect } from '../../kit/body/body.ts';
import { layered } from '../../layers/layered.ts';
import { retry } from '../../layers/retry.ts';
import { ask, opening } from './testing/opening.ts';

const monitor = 'GET /monitor/{job}';
const busy = { kind: 'rateLimit', retryAfter: 0 } as const;

test('a finished copy is reported as such, although the service is briefly too busy to report it', async (t) => {
  const { microsoft, connector, names } = await opening(t, 'OneDriveForBusiness');
  const patient = layered(connector, retry({ wait: async () => undefined }));
  microsoft.world.manners.copyTakes = 0;
  await names('/');
  microsoft.faults.next(/GET .*Papers/, 2, busy);
  microsoft.faults.next(monitor, 7, busy);
  assert.equal((await patient.copy?.('/Documents', '/Papers', ask()))?.name, 'Papers');
  assert.ok((await names('/')).includes('Papers'));
});

test('a copy that has started is not started again, however busy the service is', async (t) => {
  const { microsoft, connector, names } = await opening(t, 'OneDriveForBusiness');
  const patient = layered(connector, retry({ wait: async () => undefined }));
  await names('/');
  microsoft.faults.next(/GET .*Papers/, 100, busy);
  await assert.rejects(async () => patient.copy?.('/Documents', '/Papers', ask()), { kind: 'interrupted', retryable: false });
  assert.equal(microsoft.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/copy')).length, 1);
});

test('a listing continues although the service is busy, fails or breaks off between two pages', async (t) => {
  const { microsoft, drive, names, content } = await opening(t, 'OneDrive');
  microsoft.world.manners.page = 2;
  const folder = drive.addFolder(drive.root, 'Long');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) drive.store(folder, name, content(name), 'fail');
  const later = /skiptoken/i;
  microsoft.faults.next(later, 1, busy);
  microsoft.faults.next(later, 1, { kind: 'reply', reply: { status: 502, text: '<html>Bad Gateway</html>' } });
  const planned = microsoft.faults.next(later, 1, { kind: 'cut', afterBytes: 10 });
  assert.deepEqual(await names('/Long'), ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.equal(planned.struck, 1);
});

test('a file replaced between the lookup and the bytes is not reported as damaged', async (t) => {
  const { microsoft, connector, put, drive, content } = await opening(t, 'OneDrive');
  await put('/file', 'the first bytes');
  // The URL returns the file's current content.
  microsoft.faults.next('GET /download/{opaque}', 1, { kind: 'corrupt', at: 1 });
  const body = await connector.read('/file', ask());
  drive.store(drive.root, 'file', content('other bytes'), 'replace');
  await assert.rejects(collect(body), { kind: 'interrupted', retryable: true });
});
