import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSource, hasOwnRoute, sourceTypeTitle } from './find-source.ts';
import type { Source } from './source.ts';
import { sources } from './sources.ts';

const familyOf = (provider: string) => findSource(provider)?.family;

test('a source is found by its name in upper or lower case [LSP-02]', () => {
  assert.equal(findSource('DropBox')?.provider, 'Dropbox');
  assert.equal(findSource('dropbox')?.provider, 'Dropbox');
  assert.equal(findSource('dropbo'), undefined);
});

test('FTP, the file server and SFTP have a dialog each [LSP-05] [LSP-06] [LSP-07]', () => {
  assert.deepEqual(['ftp', 'ofs', 'sftp'].map(familyOf), ['ftp', 'ofs', 'sftp']);
});

test('all S3-style providers share the S3 dialog [LSP-08] [S3-01]', () => {
  const names = ['s3', 's3compat', 'wasabi', 'digitalocean', 'dreamhost', 'minio', 'azurestorage'];
  assert.deepEqual(new Set(names.map(familyOf)), new Set(['s3']));
});

test('all WebDAV-style providers share the WebDAV dialog [LSP-09]', () => {
  const names = ['webdav', '4shared', 'adrive', 'hidrive', 'opendrive', 'yandexdisk'];
  assert.deepEqual(new Set(names.map(familyOf)), new Set(['webdav']));
});

test('B2, the gateway and Oracle Documents have routes of their own [LSP-10] [LSP-11] [LSP-12]', () => {
  assert.deepEqual(
    sources.filter((source: Source) => hasOwnRoute(source)).map((source) => source.provider),
    ['B2', 'OracleDocuments', 'SheafGateway'],
  );
});

test('storage classes are offered for S3, S3 Compatible and Azure only [S3-11] [S3-12] [S3-16] [S3-17]', () => {
  const offered = Object.fromEntries(
    sources.flatMap((source: Source) => (source.storageClasses ? [[source.provider, source.storageClasses]] : [])),
  );
  assert.deepEqual(offered, { S3: ['STANDARD', 'STANDARD_IA', 'REDUCED REDUNDANCY'], S3Compat: ['STANDARD'], AzureStorage: ['STANDARD'] });
});

test('the host of DreamHost is fixed [S3-05]', () => {
  const { serverUrl, serverFixed } = findSource('dreamhost') ?? {};
  assert.deepEqual({ serverUrl, serverFixed }, { serverUrl: 'objects-us-east-1.dream.io', serverFixed: true });
});

test('each source type has one heading [LNK-09]', () => {
  assert.equal(sourceTypeTitle('S3'), 'Amazon S3');
  assert.equal(sourceTypeTitle('WebDAV'), 'WebDAV');
  assert.equal(sourceTypeTitle('Org'), 'Organisation');
});

test('names and routes are unique', () => {
  const lower = sources.map((source) => source.provider.toLowerCase());
  assert.equal(new Set(lower).size, sources.length);
  const routes = sources.flatMap((source: Source) => (source.route ? [source.route] : []));
  assert.equal(new Set(routes).size, routes.length);
});
