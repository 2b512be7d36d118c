import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type OfficeText, officeText } from '@sheaf/contract';
import fc from 'fast-check';
import { testContent } from '#/testing/content.ts';
import { packed } from '#/testing/packed.ts';

async function asked(t: TestContext, path: string, content: Buffer) {
  const { app, source, uri, userId } = await testContent(t);
  source.put(path, content);
  const url = `${officeText.path}?linkUri=${encodeURIComponent(uri(path))}`;
  return app.inject({ method: 'GET', url, headers: { cookie: `sid=${userId}` } });
}
const textOf = async (t: TestContext, path: string, content: Buffer): Promise<OfficeText> => {
  const answer = await asked(t, path, content);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: OfficeText }>().data;
};

const word = (body: string): string =>
  `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const content = word(
  `<w:p>${run('Dear ')}${run('Mara &amp; Tom')}</w:p><w:p/><w:tbl><w:tr><w:tc><w:p>${run('cell')}</w:p></w:tc></w:tr></w:tbl>` +
    `<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>三</w:t></w:r></w:p>`,
);
const open = (body: string): string =>
  `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><office:body>${body}</office:body></office:document-content>`;

for (const [how, options] of [
  ['deflated', {}],
  ['stored', { stored: true }],
  ['with long extra fields', { extra: 3000 }],
] as const) {
  test(`the paragraphs of a Word document are read from a file whose parts are ${how}`, async (t) => {
    const file = packed(
      { '[Content_Types].xml': '<Types/>', 'word/media/image.png': randomBytes(2_000_000), 'word/document.xml': content },
      options,
    );
    assert.deepEqual(await textOf(t, '/letter.docx', file), {
      sections: [{ title: '', rows: [['Dear Mara & Tom'], ['cell'], ['one\ttwo\n三']] }],
      isCut: false,
    });
  });
}

test('slides are read in the order of their numbers', async (t) => {
  const slide = (text: string): string =>
    `<p:sld xmlns:p="p" xmlns:a="a"><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sld>`;
  const slides = {
    'ppt/slides/slide10.xml': slide('last'),
    'ppt/slides/slide2.xml': slide('second'),
    'ppt/slides/slide1.xml': slide('first'),
  };
  const { sections } = await textOf(t, '/talk.pptx', packed(slides));
  assert.deepEqual(
    sections.map(({ title, rows }) => [title, rows[0]?.[0]]),
    [
      ['Slide 1', 'first'],
      ['Slide 2', 'second'],
      ['Slide 3', 'last'],
    ],
  );
});

test('the cells of a workbook keep their columns, sheet after sheet', async (t) => {
  const file = packed({
    'xl/workbook.xml':
      '<workbook xmlns="s" xmlns:r="r"><sheets><sheet name="Costs" r:id="rId2"/><sheet name="Empty" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="rel"><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    'xl/sharedStrings.xml': '<sst xmlns="s"><si><t>ferry</t></si><si><r><t>to </t></r><r><t>Gotland</t></r></si></sst>',
    'xl/worksheets/sheet1.xml': '<worksheet xmlns="s"><sheetData/></worksheet>',
    'xl/worksheets/sheet2.xml':
      '<worksheet xmlns="s"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><f>SUM(1)</f><v>12.5</v></c></row>' +
      '<row r="2"><c r="B2" t="s"><v>1</v></c><c t="b"><v>1</v></c><c t="inlineStr"><is><t>here</t></is></c></row></sheetData></worksheet>',
  });
  assert.deepEqual(await textOf(t, '/costs.xlsx', file), {
    sections: [
      {
        title: 'Costs',
        rows: [
          ['ferry', '', '12.5'],
          ['', 'to Gotland', 'TRUE', 'here'],
        ],
      },
      { title: 'Empty', rows: [] },
    ],
    isCut: false,
  });
});

test('OpenDocument texts, sheets and slides are read', async (t) => {
  const type = (kind: string): string => `application/vnd.oasis.opendocument.${kind}`;
  const text = open(
    '<office:text><text:h>Title</text:h><text:p>a<text:s text:c="3"/>b<text:span>c</text:span><text:line-break/>d</text:p></office:text>',
  );
  assert.deepEqual((await textOf(t, '/a.odt', packed({ mimetype: type('text'), 'content.xml': text }))).sections, [
    { title: '', rows: [['Title'], ['a   bc\nd']] },
  ]);
  const sheet = open(
    '<table:table table:name="One"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>y</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>',
  );
  assert.deepEqual((await textOf(t, '/a.ods', packed({ mimetype: type('spreadsheet'), 'content.xml': sheet }))).sections, [
    { title: 'One', rows: [['x', '', '', 'y']] },
  ]);
  const slides = open(
    '<draw:page draw:name="Hello"><text:p>first</text:p></draw:page><draw:page draw:name="Bye"><text:p>last</text:p></draw:page>',
  );
  assert.deepEqual((await textOf(t, '/a.odp', packed({ mimetype: type('presentation'), 'content.xml': slides }))).sections, [
    { title: 'Hello', rows: [['first']] },
    { title: 'Bye', rows: [['last']] },
  ]);
});

test('a very long document is previewed from its beginning', async (t) => {
  const long = word(`<w:p>${run('x'.repeat(1000))}</w:p>`.repeat(2000));
  const { sections, isCut } = await textOf(t, '/long.docx', packed({ 'word/document.xml': long }));
  assert.deepEqual([sections[0]?.rows.length, isCut], [500, true]);
});

test('only a bounded part is read of a small file that unpacks to slide after slide', async (t) => {
  const slide = `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:t>x</a:t></a:p>${'<a:p></a:p>'.repeat(1_200_000)}</p:sld>`;
  const file = packed(Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`ppt/slides/slide${number}.xml`, slide])));
  const { sections, isCut } = await textOf(t, '/talk.pptx', file);
  assert.deepEqual([sections.map(({ rows }) => rows), isCut], [[[['x']], [['x']], [['x']]], true]);
});

test('of very many short paragraphs only as many are returned as a page can show', async (t) => {
  const many = await textOf(t, '/a.docx', packed({ 'word/document.xml': word(`<w:p>${run('x')}</w:p>`.repeat(60_000)) }));
  assert.deepEqual([many.sections[0]?.rows.length, many.isCut], [25_000, true]);
});

test('an endless paragraph is truncated, and so are endless titles and sections', async (t) => {
  const endless = await textOf(t, '/a.docx', packed({ 'word/document.xml': word(`<w:p>${run('x'.repeat(20_000_000))}</w:p>`) }));
  assert.deepEqual(endless, { sections: [], isCut: true });
  const sheet = `<table:table table:name="${'n'.repeat(1000)}"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>`;
  const file = packed({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': open(sheet.repeat(200)) });
  const { sections, isCut } = await textOf(t, '/b.ods', file);
  assert.deepEqual([sections.length, sections[0]?.title.length, isCut], [100, 255, true]);
});

test('a zip bomb, a document type with entities, and a part that is not XML are refused as having no text', async (t) => {
  const bomb = packed({ 'word/document.xml': word(`<w:p>${run('x'.repeat(40_000_000))}</w:p>`) });
  // Its directory contains a wrong unpacked size.
  const listed = bomb.lastIndexOf(Buffer.from('word/document.xml')) - 46;
  bomb.writeUInt32LE(1000, listed + 24);
  const laughs = word('<w:p/>').replace('?>', '?><!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>');
  for (const file of [
    bomb,
    packed({ 'word/document.xml': laughs }),
    packed({ 'word/document.xml': '<w' }),
    packed({ 'word/document.xml': word(`<w:p ${'x=">" '.repeat(200_000)}/>`) }),
    packed({ 'other.xml': '<x/>' }),
  ]) {
    const answer = await asked(t, '/a.docx', file);
    assert.deepEqual([answer.statusCode, answer.json<{ messageCode: string }>().messageCode], [422, 'NO_TEXT']);
  }
  const none = await asked(t, '/b.docx', Buffer.from('no archive'));
  assert.equal(none.json<{ messageCode: string }>().messageCode, 'NOT_AN_ARCHIVE');
});

test('a document damaged in any way yields text or a refusal, and nothing else', async (t) => {
  const { app, source, uri, userId } = await testContent(t);
  const whole = packed({ 'word/document.xml': content });
  const url = `${officeText.path}?linkUri=${encodeURIComponent(uri('/a.docx'))}`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      source.put('/a.docx', bytes);
      const answer = await app.inject({ method: 'GET', url, headers: { cookie: `sid=${userId}` } });
      assert.ok([200, 422].includes(answer.statusCode), answer.body);
    }),
    { numRuns: 400 },
  );
});
