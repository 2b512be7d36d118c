import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Microsoft, smallJpeg, startMicrosoft } from '@sheaf/testbed';
import { conformance, hardNames } from '../../conformance/index.ts';
import { segmentsOf } from '../../kit/names/path.ts';
import { onedrive } from './index.ts';
import { partSize } from './parts.ts';
import { openAt } from './testing/opening.ts';

let microsoft: Microsoft;
before(async () => {
  microsoft = await startMicrosoft();
});
after(() => microsoft.stop());

/** Names that OneDrive refuses or would change, and one that differs from another only in case. */
const badNames = [
  ...[
    'leading spaces',
    'trailing spaces',
    'quotes',
    'three dots',
    'a trailing dot',
    'backslashes',
    'a question mark',
    'shell signs',
    'a leading tilde',
    'a colon and an at sign',
    'angle brackets of markup',
    'a tab',
    'a newline',
    'a control character',
  ].map((what) => hardNames[what] ?? assert.fail(what)),
  'readme',
];

for (const [provider, root, many] of [
  ['OneDrive', '/', 450],
  ['OneDriveForBusiness', '/', 1100],
  ['Sharepoint', '/Engineering/Drawings', 250],
] as const)
  conformance(provider, () => openAt(microsoft, provider), {
    root,
    many,
    badNames,
    // Two of them in one path would exceed the maximum path length, see below.
    unlistedNames: [hardNames['255 bytes of ASCII'] ?? ''],
    offers: provider === 'Sharepoint' ? ['search', 'changes', 'thumbnail'] : ['search', 'usage', 'changes', 'thumbnail'],
    picture: { bytes: smallJpeg, extension: '.jpg' },
    keepsModified: true,
    copiesBetweenLinks: true,
    versions: true,
    ...(provider === 'OneDrive' && { bin: { lists: false, purges: false } }),
    hashes: ['quickXor', 'sha256', 'sha1'],
    resumes: { reopen: () => openAt(microsoft, provider), partSize },
    async reallyIn(folder) {
      const { people, driveOf, libraryOf } = microsoft;
      const account = provider === 'OneDrive' ? people.mara : people.noor;
      const drive = provider === 'Sharepoint' ? libraryOf('Engineering', 'Drawings') : driveOf(account);
      const names = segmentsOf(folder.slice(root === '/' ? 0 : root.length));
      return [...drive.walk(drive.root, names).children.values()].map(({ name }) => name);
    },
  });

test('every request and answer matches the description', () => {
  microsoft.assertClean();
  assert.equal(microsoft.sessions(), 0, 'an upload session was left open');
});

test('two links of one account are the same, two of the account at different sources are not', () => {
  const info = { accountId: '8e2b', account: 'mara@example.org' };
  const identity = (provider: string) => onedrive.identity(onedrive.parse(info, provider));
  assert.equal(identity('OneDrive'), identity('onedrive'));
  assert.notEqual(identity('OneDriveForBusiness'), identity('Sharepoint'));
});
