import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanXml } from '../../kit/xml.ts';
import { segmentsOfHref, toResource } from './api.ts';

async function resourceOf(inner: string) {
  async function* document() {
    yield Buffer.from(`<d:multistatus xmlns:d="DAV:" xmlns:o="http://other.example/"><d:response>${inner}</d:response></d:multistatus>`);
  }
  for await (const [element] of scanXml(document(), ['response'])) return element && toResource(element);
  return undefined;
}

describe('segmentsOfHref', () => {
  for (const [href, segments] of [
    ['/dav/a%20b/', ['dav', 'a b']],
    ['https://host:8443/dav/x', ['dav', 'x']],
    ['/dav/caf%C3%A9', ['dav', 'café']],
    ['/dav/café', ['dav', 'café']],
    ['/a%2Fb', ['a/b']],
    ['/a%252Fb', ['a%2Fb']],
    ['/100% sure%20', ['100% sure ']],
    ['/latin%E9%20', ['latin%E9%20']],
    ['/you+me', ['you+me']],
    ['\n /x \n', ['x']],
  ] as const)
    it(`reads ${JSON.stringify(href)}`, () => assert.deepEqual(segmentsOfHref(href), segments));
});

describe('toResource', () => {
  it('takes properties that were found and leaves those that were not', async () => {
    const resource = await resourceOf(`
      <d:href>/dav/file.txt</d:href>
      <d:propstat><d:prop><d:resourcetype/><d:getcontentlength>12</d:getcontentlength><d:getlastmodified>Thu, 01 Jan 1970 00:01:40 GMT</d:getlastmodified>
        <o:getetag>another's</o:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
      <d:propstat><d:prop><d:getetag>none</d:getetag></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>`);
    assert.deepEqual(resource, { segments: ['dav', 'file.txt'], entry: { name: 'file.txt', kind: 'file', size: 12, modified: 100 } });
  });

  it('gives folders no size', async () => {
    const resource = await resourceOf(`<d:href>/dav/folder/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>
      <d:getcontentlength>4096</d:getcontentlength></d:prop></d:propstat>`);
    assert.deepEqual(resource?.entry, { name: 'folder', kind: 'folder' });
  });

  it('passes over resources that are gone, and answers without an address', async () => {
    assert.equal(await resourceOf('<d:href>/gone</d:href><d:status>HTTP/1.1 404 Not Found</d:status>'), undefined);
    assert.equal(await resourceOf('<d:status>HTTP/1.1 200 OK</d:status>'), undefined);
  });
});
