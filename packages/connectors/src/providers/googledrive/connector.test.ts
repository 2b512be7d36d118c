import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { smallJpeg } from '@sheaf/testbed';
import { conformance } from '../../conformance/index.ts';
import { ask, listed, startDriveTest } from './testing/drive.ts';

describe('Google Drive on its simulator', () => {
  const { google, open, envOf, mara } = startDriveTest({ seeded: true });

  conformance('Google Drive', async () => open(envOf('theo@example.org')), {
    offers: ['thumbnail', 'search', 'usage', 'changes'],
    picture: { bytes: smallJpeg, extension: '.jpg' },
    keepsModified: true,
    many: 1100,
  });

  test('5,000 entries come in five pages of a thousand', async () => {
    const { put, requests } = google();
    const folder = put.folder(mara(), 'many');
    for (let index = 0; index < 5000; index++) put.file(mara(), `entry ${index}`, '', folder);
    const connector = open();
    await connector.stat('/many', ask());
    const before = requests.length;
    assert.equal((await listed(connector, '/many')).size, 5000);
    const asked = requests.slice(before).map(({ operation }) => operation);
    assert.deepEqual(
      asked,
      Array.from({ length: 5 }, () => 'GET /drive/v3/files'),
    );
  });

  test('the demo account shows its files, its documents with their endings, and its shared drives', async () => {
    const connector = open();
    const names = [...(await listed(connector, '/')).keys()];
    assert.deepEqual(
      names.filter((name) => name !== 'many').sort(),
      ['Favourite picture', 'Photos', 'Plans', 'Shared drives', 'readme.txt'].sort(),
    );
    assert.deepEqual([...(await listed(connector, '/Plans')).keys()].sort(), ['Budget.xlsx', 'Summer trip.docx', 'notes.txt']);
  });
});
