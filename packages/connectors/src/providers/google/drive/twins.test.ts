import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { layered } from '../../../layers/layered.ts';
import { retry } from '../../../layers/retry.ts';
import { ask, namesIn, startDriveTest, textOf, write } from './testing/drive.ts';

const list = 'GET /drive/v3/files';
const busy = { kind: 'rateLimit', retryAfter: 0 } as const;
const refused = (reason: string) =>
  ({ kind: 'reply', reply: { status: 403, json: { error: { code: 403, message: 'no', errors: [{ reason }] } } } }) as const;

describe('equal names at Google Drive', () => {
  const { google, open, mara } = startDriveTest();
  const put = () => google().put;

  test("of two writers of a free name, each allowed to replace, the later one's file stays, and the other is in the bin", async () => {
    const [one, other] = [open(), open()];
    await one.createFolder?.('/race', ask());
    for (let round = 0; round < 5; round++) {
      const path = `/race/file ${round}`;
      await Promise.all([write(one, path, 'from one'), write(other, path, 'from other')]);
      assert.match(await textOf(open(), path), /^from (one|other)$/);
    }
    assert.equal((await namesIn(open(), '/race')).length, 5);
  });

  test('a created folder is reported as created although Drive is too busy to report items of the same name', async () => {
    for (const [name, times] of [
      ['patient', 2],
      ['never told', 20],
    ] as const) {
      const connector = layered(open(), retry({ wait: async () => undefined }));
      const making = google().faults.next('POST /drive/v3/files', 1, { kind: 'slow', ms: 100 });
      const made = connector.createFolder?.(`/${name}`, ask());
      while (making.struck === 0) await new Promise(setImmediate);
      google().faults.next(list, times, busy);
      assert.equal((await made)?.name, name);
      google().faults.clear();
      assert.ok((await namesIn(open(), '/')).includes(name));
    }
  });

  test('a folder is copied although Drive is sometimes busy', async () => {
    const folder = put().folder(mara(), 'original');
    for (let index = 0; index < 5; index++) put().file(mara(), `file ${index}`, 'x', folder);
    const deletions = () => google().requests.filter(({ method }) => method === 'DELETE').length;
    const before = deletions();
    google().faults.next('POST /drive/v3/files/{fileId}/copy', 2, refused('userRateLimitExceeded'));
    await open().copy?.('/original', '/copied', ask());
    assert.deepEqual([(await namesIn(open(), '/copied')).length, deletions()], [5, before]);
  });

  test('files that must be removed go to the bin where they cannot be deleted permanently', async () => {
    const [one, other] = [open(), open()];
    google().faults.next('DELETE /drive/v3/files/{fileId}', 1, refused('insufficientFilePermissions'));
    const made = await Promise.allSettled([one.createFolder?.('/only once', ask()), other.createFolder?.('/only once', ask())]);
    const kinds = made.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { kind?: string }).kind] : []));
    assert.deepEqual(kinds, ['alreadyExists']);
    assert.equal((await namesIn(open(), '/')).filter((name) => name.startsWith('only once')).length, 1);
  });
});
