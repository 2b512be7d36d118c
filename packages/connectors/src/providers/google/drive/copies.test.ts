import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Connector } from '../../../core/connector.ts';
import { serviceCopiesOf } from '../../../core/operations.ts';
import { ask, listed, startDriveTest, textOf } from './testing/drive.ts';

const copiesOf = (connector: Connector) => serviceCopiesOf(connector) ?? assert.fail('no copies by the service');

describe('copies between two accounts of Google Drive', () => {
  const { google, open, envOf, mara } = startDriveTest();
  const theo = () => google().oauth.accounts[1] ?? assert.fail('one account only');
  const links = () => ({ from: copiesOf(open()), other: open(envOf(theo().email)) });

  test('a file that the other account may read is copied by Drive', async () => {
    const shared = google().put.file(mara(), 'shared.txt', 'for both');
    shared.readers = [theo().id];
    const { from, other } = links();
    const file = await from.serviceFile('/shared.txt', ask());
    const downloads = google().faults.next(/alt=media/, 1, { kind: 'slow', ms: 0 });
    const entry = await copiesOf(other).copyFrom(file, '/copy.txt', ask());
    assert.equal(downloads.struck, 0);
    assert.deepEqual([entry.name, entry.size, entry.hashes?.md5], ['copy.txt', 8, file.entry.hashes?.md5]);
    assert.equal(await textOf(other, '/copy.txt'), 'for both');
  });

  test('a file that the other account may not read or copy is unsupported', async () => {
    google().put.file(mara(), 'private.txt', 'for one');
    const guarded = google().put.file(mara(), 'guarded.txt', 'not to be copied');
    Object.assign(guarded, { readers: [theo().id], copyRequiresWriter: true });
    const { from, other } = links();
    for (const name of ['private.txt', 'guarded.txt']) {
      const file = await from.serviceFile(`/${name}`, ask());
      await assert.rejects(copiesOf(other).copyFrom(file, `/${name}`, ask()), { kind: 'unsupported' });
    }
    assert.ok(!(await listed(other, '/')).has('private.txt'));
  });

  test('a Google document is copied as one, under a name with its extension', async () => {
    const letter = google().put.document(mara(), 'Letter', 'document', 'Dear all');
    letter.readers = [theo().id];
    const { from, other } = links();
    const file = await from.serviceFile('/Letter.docx', ask());
    await assert.rejects(copiesOf(other).copyFrom(file, '/Letter', ask()), { kind: 'unsupported' });
    const entry = await copiesOf(other).copyFrom(file, '/Another.docx', ask());
    assert.deepEqual([entry.name, entry.size], ['Another.docx', undefined]);
    assert.ok(
      [...google().drive.nodes.values()].some(({ name, document, owner }) => name === 'Another' && document && owner === theo().id),
    );
  });

  test('a shortcut is copied as the file that it leads to, a broken one is not', async () => {
    const target = google().put.file(mara(), 'target.txt', 'the target');
    target.readers = [theo().id];
    google().put.shortcut(mara(), 'way', target.id);
    google().put.shortcut(mara(), 'broken', 'nowhere');
    const { from, other } = links();
    await copiesOf(other).copyFrom(await from.serviceFile('/way', ask()), '/from-way', ask());
    assert.equal(await textOf(other, '/from-way'), 'the target');
    await assert.rejects(from.serviceFile('/broken', ask()), { kind: 'unsupported' });
  });

  test('a full account is reported as full', async () => {
    const large = google().put.file(mara(), 'large.txt', 'x'.repeat(2000));
    large.readers = [theo().id];
    const { from, other } = links();
    const file = await from.serviceFile('/large.txt', ask());
    google().faults.next('POST /drive/v3/files/{fileId}/copy', 1, {
      kind: 'reply',
      reply: {
        status: 403,
        json: { error: { code: 403, message: 'full', errors: [{ domain: 'global', reason: 'storageQuotaExceeded', message: 'full' }] } },
      },
    });
    await assert.rejects(copiesOf(other).copyFrom(file, '/large.txt', ask()), { kind: 'full' });
  });
});
