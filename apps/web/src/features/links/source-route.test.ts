import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type LinkGroup, type LinkRow, type Source, findSource } from '@sheaf/contract';
import { formSource, linkToEdit, linksOf, wantedSource } from './source-route.ts';

const source = (provider: string): Source => {
  const found = findSource(provider);
  assert.ok(found);
  return found;
};
const link = (userLinkId: string, provider: string, account = 'mara'): LinkRow => ({
  userLinkId,
  name: userLinkId,
  disambiguatedName: userLinkId,
  sourceAccountName: account,
  provider,
  thumbnailUrl: '',
  menuIconUrl: '',
  isOrganization: false,
  linkUri: `/${userLinkId}`,
  browseUrl: `/browse/${userLinkId}`,
  state: 'ok',
});
const group = (type: string, links: LinkRow[]): LinkGroup => ({ sourceType: type, source_type: type, title: type, links });
const shown = (segment: string) => {
  const wanted = wantedSource(segment);
  return wanted.kind === 'source' ? `${wanted.source.provider} ${wanted.source.family}` : wanted.kind;
};

test('a source type is found whatever its case', () => {
  assert.equal(shown('DropBox'), 'Dropbox oauth');
  assert.equal(shown('SFTP'), 'SFTP sftp');
  assert.equal(shown('ofs'), 'OFS ofs');
  assert.equal(shown('fileserver'), 'OFS ofs');
  assert.equal(shown('AzureStorage'), 'AzureStorage s3');
});

test('types with an address of their own show nothing under their bare key', () => {
  assert.equal(shown('b2'), 'elsewhere');
  assert.equal(shown('SheafGateway'), 'elsewhere');
  assert.equal(shown('b2cloudstorage'), 'B2 b2');
  assert.equal(shown('sheafgatewaycloudstorage'), 'SheafGateway sheafgateway');
  assert.equal(shown('oracledocuments'), 'OracleDocuments oracledocuments');
});

test('an unknown type, and one that cannot be linked, is unknown', () => {
  assert.equal(shown('gopher'), 'unknown');
  assert.equal(shown('copy'), 'unknown');
  assert.equal(shown('spaces'), 'unknown');
});

test('the form of an address is that of its family, with the provider of the link it edits', () => {
  assert.equal(formSource('webdav')?.provider, 'WebDAV');
  assert.equal(formSource('webdav', 'hidrive')?.provider, 'hidrive');
  assert.equal(formSource('oracle')?.provider, 'OracleDocuments');
  assert.equal(formSource('sheafgateway')?.provider, 'SheafGateway');
  assert.equal(formSource('gopher'), undefined);
});

test('a type without a link opens the create form, one with links the edit form', () => {
  const groups = [group('SFTP', [link('one', 'SFTP'), link('two', 'SFTP')])];
  assert.equal(linkToEdit(source('FTP'), groups, {}), undefined);
  assert.equal(linkToEdit(source('SFTP'), groups, {})?.userLinkId, 'one');
  assert.equal(linkToEdit(source('SFTP'), groups, { userLinkId: 'two' })?.userLinkId, 'two');
  assert.equal(linkToEdit(source('SFTP'), groups, { mode: 'create' }), undefined);
});

test("providers that share a source type do not edit each other's links", () => {
  const groups = [group('S3Compat', [link('minio', 'MinIO')])];
  assert.equal(linkToEdit(source('Wasabi'), groups, {}), undefined);
  assert.equal(linkToEdit(source('MinIO'), groups, {})?.userLinkId, 'minio');
});

test('links of an organisation are not the user’s to edit', () => {
  assert.deepEqual(linksOf(source('SFTP'), [group('SFTP', [link('org', 'SFTP', 'Org')])]), []);
});

test('with an organisation only its own links are edited [LNK-49]', () => {
  const groups = [group('SFTP', [link('org', 'SFTP', 'Org')])];
  assert.equal(linkToEdit(source('SFTP'), groups, { orgOid: 'o1' })?.userLinkId, 'org');
  assert.equal(linkToEdit(source('SFTP'), groups, {}), undefined);
});
