import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isKind } from '../../core/error.ts';
import { escapeXml } from './xml-text.ts';
import { type XmlElement, childOf, childText, scanXml } from './xml.ts';

async function* pieces(bytes: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += step) yield bytes.subarray(from, from + step);
}

async function scan(xml: string | Uint8Array, wanted: readonly string[], step = 1_000_000): Promise<XmlElement[]> {
  const found: XmlElement[] = [];
  for await (const batch of scanXml(pieces(Buffer.from(xml), step), wanted)) found.push(...batch);
  return found;
}

const listing = `<?xml version="1.0" encoding="utf-8"?>\n<!-- > a comment < -->
<D:multistatus xmlns:D="DAV:" xmlns='http://other.example/'>
<D:response xmlns:lp1="DAV:" note='a > "b"'><D:href>/caf%C3%A9 &amp; &#8364;&#x20AC;</D:href><lp1:prop><plain/><D:empty /></lp1:prop></D:response>
<response xmlns="DAV:"><href><![CDATA[/a<b>&amp;]]></href></response ></D:multistatus>
`;

describe('scanXml', () => {
  it('returns the wanted elements with names resolved, however the document is split', async () => {
    for (const step of [1, 2, 3, 7, 64, 100_000]) {
      const [first, second, ...others] = await scan(listing, ['response'], step);
      assert.ok(first && second);
      assert.equal(others.length, 0);
      assert.equal(first.space, 'DAV:');
      assert.equal(first.attributes['note'], 'a > "b"');
      assert.equal(childText(first, 'href', 'DAV:'), '/caf%C3%A9 & €€');
      const prop = childOf(first, 'prop', 'DAV:');
      assert.deepEqual(
        prop?.children.map(({ space, name }) => [space, name]),
        [
          ['http://other.example/', 'plain'],
          ['DAV:', 'empty'],
        ],
      );
      assert.equal(second.space, 'DAV:');
      assert.equal(childText(second, 'href'), '/a<b>&amp;');
    }
  });

  it('returns any text that was escaped', async () => {
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\uFFFE\uFFFF]/u.test(text));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, step) => {
        const [found] = await scan(`<a><b c="${escapeXml(text)}">${escapeXml(text)}</b></a>`, ['b'], step);
        assert.equal(found?.text, text);
        assert.equal(found?.attributes['c'], text);
      }),
    );
  });

  it('returns records before the document has ended', async () => {
    async function* unfinished() {
      yield Buffer.from('<list><item>1</item><item>2</item><it');
      yield Buffer.from('em>3</item>');
    }
    const batches: string[][] = [];
    const reading = (async () => {
      for await (const batch of scanXml(unfinished(), ['item'])) batches.push(batch.map(({ text }) => text));
    })();
    await assert.rejects(reading, (error) => isKind(error, 'interrupted'));
    assert.deepEqual(batches, [['1', '2'], ['3']]);
  });

  it('reads other declared encodings', async () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><b>\xe9</b></a>', 'latin1');
    assert.equal((await scan(latin, ['b']))[0]?.text, 'é');
    const wide = Buffer.from('\ufeff<a><b>é</b></a>', 'utf16le');
    assert.equal((await scan(wide, ['b'], 3))[0]?.text, 'é');
  });

  for (const [what, xml] of Object.entries({
    'a document type': '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    'an unknown entity': '<a>&nbsp;</a>',
    'a bare ampersand': '<a>a & b</a>',
    'a character that XML forbids': '<a>&#0;</a>',
    'half a surrogate pair': '<a>&#xD800;</a>',
    'tags that do not match': '<a><b></a></b>',
    'an undeclared prefix': '<x:a/>',
    'two roots': '<a/><b/>',
    'text outside the root': 'hello <a/>',
    'endless depth': '<a>'.repeat(100),
    'endless markup': `<a ${'b'.repeat(100_000)}`,
    'an endless record': `<a>${'b'.repeat(1_100_000)}</a>`,
    'a record of endless elements': `<a>${'<b/>'.repeat(10_001)}</a>`,
    'a malformed attribute': '<a b=c/>',
    'an unknown encoding': '<?xml version="1.0" encoding="klingon"?><a/>',
  })) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(scan(xml, ['a'], 1000), (error) => isKind(error, 'unexpected'));
    });
  }

  it('refuses bytes that are invalid in the encoding', async () => {
    await assert.rejects(scan(Buffer.from('<a>\xe9</a>', 'latin1'), ['a']), (error) => isKind(error, 'unexpected'));
  });

  it('takes time in proportion to the document, however many prefixes are declared around an element', async () => {
    const prefixes = (depth: number): string => Array.from({ length: 3000 }, (_, index) => `xmlns:p${depth}x${index}="u"`).join(' ');
    const around = Array.from({ length: 40 }, (_, depth) => `<a ${prefixes(depth)}>`);
    const ends = around.map(() => '</a>');
    const inner = '<b xmlns:q="u"/>'.repeat(10_000);
    /** Microseconds of this thread for the document, so that other processes do not count. */
    async function costOf(before: readonly string[], content: string, count: number): Promise<number> {
      const { user } = process.threadCpuUsage();
      const found = await scan(`${before.join('')}${content}${ends.slice(0, before.length).join('')}`, ['b'], 60_000);
      assert.equal(found.length, count);
      return process.threadCpuUsage().user - user;
    }
    const [outside, alone] = [await costOf(around, '<b/>', 1), await costOf(['<a>'], inner, 10_000)];
    const both = await costOf(around, inner, 10_000);
    // Copying all prefixes for each element takes a hundred times as long.
    assert.ok(both < 5 * (outside + alone), `${both} µs, ${outside} and ${alone}`);
  });

  it('does not resolve a prefix to a property of JavaScript objects', async () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      await assert.rejects(scan(`<${name}:a/>`, ['a']), (error) => isKind(error, 'unexpected'));
    const [found] = await scan('<__proto__:a xmlns:__proto__="u"/>', ['a']);
    assert.equal(found?.space, 'u');
  });

  it('distinguishes an empty document from an empty listing', async () => {
    await assert.rejects(scan('', ['a']), (error) => isKind(error, 'interrupted'));
    assert.deepEqual(await scan('<list/>', ['a']), []);
  });
});
