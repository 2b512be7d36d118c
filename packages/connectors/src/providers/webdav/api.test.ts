import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isKind } from '../../core/error.ts';
import { readXmlRecords } from '../../kit/xml/xml-records.ts';
import { scanXml } from '../../kit/xml/xml.ts';
import { type Resource, createResourceReader, segmentsOfHref, toResource } from './api.ts';

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
  it('returns found properties and omits the others', async () => {
    const resource = await resourceOf(`
      <d:href>/dav/file.txt</d:href>
      <d:propstat><d:prop><d:resourcetype/><d:getcontentlength>12</d:getcontentlength><d:getlastmodified>Thu, 01 Jan 1970 00:01:40 GMT</d:getlastmodified>
        <o:getetag>another's</o:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
      <d:propstat><d:prop><d:getetag>none</d:getetag></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>`);
    assert.deepEqual(resource, { folder: ['dav'], entry: { name: 'file.txt', kind: 'file', size: 12, modified: 100 } });
  });

  it('gives folders no size', async () => {
    const resource = await resourceOf(`<d:href>/dav/folder/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>
      <d:getcontentlength>4096</d:getcontentlength></d:prop></d:propstat>`);
    assert.deepEqual(resource?.entry, { name: 'folder', kind: 'folder' });
  });

  it('skips missing resources, and responses without an `href`', async () => {
    assert.equal(await resourceOf('<d:href>/gone</d:href><d:status>HTTP/1.1 404 Not Found</d:status>'), undefined);
    assert.equal(await resourceOf('<d:status>HTTP/1.1 200 OK</d:status>'), undefined);
  });
});

describe('createResourceReader', () => {
  const response = (href: string, props: string, rest = '', prefix = 'd') =>
    `<${prefix}:response>\n<${prefix}:href>${href}</${prefix}:href>\n<d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>${rest}</${prefix}:response>\n`;
  const file = (name: string, size = '1', etag = '"e"', date = 'Thu, 01 Jan 1970 00:01:40 GMT') =>
    response(
      `/dav/${name}`,
      `<d:resourcetype/><d:getcontentlength>${size}</d:getcontentlength><d:getlastmodified>${date}</d:getlastmodified><d:getetag>${etag}</d:getetag>`,
    );
  const folder = (name: string) => response(`/dav/${name}/`, '<d:resourcetype><d:collection/></d:resourcetype><d:getetag>"f"</d:getetag>');
  const lacking = '<d:propstat><d:prop><d:getetag>x</d:getetag></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>';
  const gone = '<d:response><d:href>/dav/gone</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>';
  const there = gone.replace('404 Not Found', '200 OK').replace('gone', 'there');
  const records = [
    folder(''),
    file('a.txt'),
    file('b%20c.txt', '22', '&quot;x&#x20AC;&amp;&quot;'),
    file('caf%C3%A9 &amp; co', '', '  '),
    file('<![CDATA[a<b]]>'),
    file('c<!-- </d:response> -->.txt'),
    file('in/another'),
    file('folder/'),
    file('/', '1e3'),
    file('bad date', '1', 'e', 'yesterday'),
    folder('x'),
    folder('y'),
    gone,
    there,
    gone,
    there,
    response('/dav/other', '<d:resourcetype/><o:getetag>theirs</o:getetag><d:getetag>ours</d:getetag>'),
    response('/dav/other2', '<d:resourcetype/><o:getetag>theirs2</o:getetag><d:getetag>ours2</d:getetag>'),
    response('/dav/other3', '<d:resourcetype/><d:getetag>ours3</d:getetag><o:getetag>theirs3</o:getetag>'),
    response('/dav/lacks1', '<d:resourcetype/>', lacking),
    response('/dav/lacks2', '<d:resourcetype/>', lacking),
    response('/dav/lacks3', '<d:resourcetype/>', lacking.replace('404 Not Found', '200 OK')),
    response('/dav/foreign', '<d:resourcetype/>', '', 'o'),
    response('/dav/foreign', '<d:resourcetype/>', '', 'o'),
    file('z.txt'),
  ];
  const document = `<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:o="http://other.example/">\n${records.join('')}${records.toReversed().join('')}${records.join(' ')}</d:multistatus>\n`;

  async function* pieces(text: string, step: number) {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += step) yield bytes.subarray(from, from + step);
  }
  async function read(text: string, step: number): Promise<(Resource | undefined)[]> {
    const found: (Resource | undefined)[] = [];
    for await (const batch of readXmlRecords(pieces(text, step), createResourceReader())) found.push(...batch);
    return found;
  }

  it('reads responses that are written alike as it would read each separately, however they are split', async () => {
    const expected: (Resource | undefined)[] = [];
    for await (const batch of scanXml(pieces(document, 1_000_000), ['response'])) expected.push(...batch.map(toResource));
    assert.equal(expected.length, 3 * records.length);
    for (const step of [1, 7, 64, 1000, 1_000_000]) assert.deepEqual(await read(document, step), expected, `step ${step}`);
  });

  it('refuses incomplete or malformed XML after responses that were alike', async () => {
    const whole = file('a') + file('b') + file('c');
    for (const [broken, kind] of [
      [whole, 'interrupted'],
      [`${whole}<d:response>`, 'interrupted'],
      [`${whole}${file('d').slice(0, -20)}`, 'interrupted'],
      [`${whole}${file('d').replace('</d:prop>', '')}`, 'unexpected'],
      [`${whole}${file('&none;')}`, 'unexpected'],
    ] as const)
      await assert.rejects(read(`<d:multistatus xmlns:d="DAV:">${broken}`, 64), (error) => isKind(error, kind), broken);
  });
});
