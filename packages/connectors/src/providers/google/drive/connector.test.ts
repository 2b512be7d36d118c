import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { smallJpeg } from '@sheaf/testbed';
import { conformance } from '../../../conformance/index.ts';
import { listed, startDriveTest } from './testing/drive.ts';

describe('Google Drive on its simulator', () => {
  const { open, envOf } = startDriveTest({ seeded: true });

  conformance('Google Drive', async () => open(envOf('theo@example.org')), {
    bin: { lists: true, purges: true },
    versions: true,
    offers: ['thumbnail', 'search', 'usage', 'changes'],
    picture: { bytes: smallJpeg, extension: '.jpg' },
    keepsModified: true,
    copiesBetweenLinks: true,
    hashes: ['md5', 'sha1'],
    resumes: { reopen: async () => open(envOf('theo@example.org')) },
    many: 1100,
  });

  test('the demo account shows its files, its documents with their extensions, and its shared drives', async () => {
    const connector = open();
    const names = [...(await listed(connector, '/')).keys()];
    assert.deepEqual(names.sort(), ['Favourite picture', 'Photos', 'Plans', 'Shared drives', 'readme.txt'].sort());
    assert.deepEqual([...(await listed(connector, '/Plans')).keys()].sort(), ['Budget.xlsx', 'Summer trip.docx', 'notes.txt']);
  });

  test("a document of Google's own kind has no versions here, because they cannot be read", async () => {
    const { listVersions, versionOf } = open();
    const ask = { signal: AbortSignal.timeout(30_000) };
    assert.equal(await listVersions?.('/Plans/Summer trip.docx', ask), undefined);
    assert.equal(await versionOf?.('/Plans/Summer trip.docx', ask), undefined);
    assert.deepEqual(await listVersions?.('/Plans/notes.txt', ask), []);
  });
});
