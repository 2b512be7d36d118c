import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { LinkRow } from '@sheaf/contract';
import { linksByType, mayShare, mayUnlink } from './rows.ts';

const row = (name: string, provider = 'SFTP'): LinkRow => ({
  userLinkId: `id-of-${name}`,
  name,
  disambiguatedName: '',
  sourceAccountName: 'mara',
  provider,
  thumbnailUrl: '',
  menuIconUrl: '',
  isOrganization: false,
  linkUri: '',
  browseUrl: `/browse/${name}`,
  state: 'ok',
});
const group = (sourceType: string, title: string, ...links: LinkRow[]) => ({ sourceType, source_type: sourceType, title, links });

test('a row derives its fields from its id, its name and its provider [LNK-40] [LNK-41] [LNK-42] [LNK-43] [LNK-44] [LNK-45]', () => {
  const [link] = linksByType([group('S3Compat', 'S3 Compatible', row('Backups', 'MinIO'))])[0]?.links ?? [];
  assert.equal(link?.linkUri, '/id-of-Backups');
  assert.equal(link.disambiguatedName, 'Backups');
  assert.equal(link.activated, 'True');
  assert.equal(link.sourceType, 'S3Compat');
  assert.equal(link.thumbnailUrl, '/images/logos/minio.svg');
  assert.equal(link.menuIconUrl, '/images/menu/minio.svg');
});

test('a link to a space offers what the role allows: viewers share nothing, and owners do not leave', () => {
  const of = (spaceRole: NonNullable<LinkRow['spaceRole']>) => {
    const link = { ...row('Team', 'Spaces'), spaceRole };
    return [mayShare(link), mayUnlink(link)];
  };
  assert.deepEqual(
    [of('viewer'), of('editor'), of('manager'), of('owner')],
    [
      [false, true],
      [true, true],
      [true, true],
      [true, false],
    ],
  );
  assert.deepEqual([mayShare(row('Home')), mayUnlink(row('Home'))], [true, true]);
});

test('an unknown provider gets the generic logo', () => {
  const [link] = linksByType([group('Gopher', 'Gopher', row('Old', 'Gopher'))])[0]?.links ?? [];
  assert.equal(link?.thumbnailUrl, '/images/logos/generic.svg');
});

test('groups are sorted by title with the organisation last, rows by name regardless of case', () => {
  const shown = linksByType([
    group('Org', 'Organisation', row('Halm')),
    group('WebDAV', 'WebDAV', row('university')),
    group('SFTP', 'SFTP', row('Web hosting'), row('home server'), row('Home 10'), row('Home 2')),
  ]);
  assert.deepEqual(
    shown.map(({ title }) => title),
    ['SFTP', 'WebDAV', 'Organisation'],
  );
  assert.deepEqual(
    shown[0]?.links.map(({ name }) => name),
    ['Home 2', 'Home 10', 'home server', 'Web hosting'],
  );
});
