import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadHrefs } from './download.ts';

const file = (linkUri: string) => ({ linkUri, fileType: 'FILE' }) as const;
const folder = (linkUri: string) => ({ linkUri, fileType: 'FOLDER' }) as const;

test('several files are downloaded one by one; with a folder among them all come in one zip', () => {
  assert.deepEqual(downloadHrefs([file('/l/a'), file('/l/b%20c')]), [
    '/rest/content/download?linkUri=%2Fl%2Fa',
    '/rest/content/download?linkUri=%2Fl%2Fb%2520c',
  ]);
  assert.deepEqual(downloadHrefs([folder('/l/d')]), ['/rest/content/archive?linkUri=%2Fl%2Fd']);
  assert.deepEqual(downloadHrefs([file('/l/a'), folder('/l/d')]), ['/rest/content/archive?linkUri=%2Fl%2Fa&linkUri=%2Fl%2Fd']);
});

test('a selection that no single address can name becomes several downloads', () => {
  const long = (name: string): string => `/l/${name.repeat(3500)}`;
  const hrefs = downloadHrefs([file(long('a')), folder(long('d'))]);
  assert.deepEqual(
    hrefs.map((href) => href.slice(0, 22)),
    ['/rest/content/download', '/rest/content/archive?'],
  );
});
